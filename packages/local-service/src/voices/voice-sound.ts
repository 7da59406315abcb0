import { type BaseVoice, findBaseVoice } from './base-voices.ts'
import {
  type ImprintSettings,
  imprintSettings,
  plainSettings,
  withProsody,
} from './imprint/settings.ts'
import type { VoiceProfile } from './profile.ts'
import type { Prosody } from './prosody.ts'
import type { SpeakingVoice } from './voice.ts'

/** The integrated loudness of every voice over many sentences, by EBU R 128. */
export const commonLufs = -18

/** How the sound of an engine becomes the sound of a voice. */
export interface VoiceSound {
  /** Absent if the sound needs no reshaping. */
  settings?: ImprintSettings
  /** Factor that brings the voice to `commonLufs`. */
  gain: number
}

/** The mean integrated loudness of several voices of an engine, for voices that are not measured one by one. */
const lufsOfEngine: ReadonlyMap<string, number> = new Map([
  ['espeak', -21],
  ['hibari', -26],
])

const imprints = new WeakMap<VoiceProfile, ImprintSettings>()

/**
 * Finds the settings and the gain for one utterance. The settings of an imprint are computed once, in about a
 * millisecond. A voice without measurements, such as one of another service, keeps its loudness and its melody.
 */
export function soundOf(
  { engine, engineVoice, imprint, addedDecibels = 0 }: SoundSource,
  prosody: Prosody,
): VoiceSound {
  const base = findBaseVoice(engine, engineVoice)
  const lufs = base?.loudnessLufs ?? lufsOfEngine.get(engine) ?? commonLufs
  const gain = 10 ** ((commonLufs - lufs - addedDecibels) / 20)
  if (!base) return { gain, settings: paceOnly(prosody) }
  if (!imprint && isPlain(prosody)) return { gain }
  const settings = imprint ? settingsOf(base, imprint) : plainSettings(base)
  return { gain, settings: withProsody(settings, prosody) }
}

type SoundSource = Pick<SpeakingVoice, 'engine' | 'engineVoice' | 'imprint' | 'addedDecibels'>

function settingsOf(base: BaseVoice, imprint: VoiceProfile): ImprintSettings {
  const settings = imprints.get(imprint) ?? imprintSettings(base, imprint)
  imprints.set(imprint, settings)
  return settings
}

function paceOnly({ speakingRate }: Prosody): ImprintSettings | undefined {
  if (speakingRate === 1) return undefined
  const timeFactor = 1 / speakingRate
  return { fromHertz: 150, toHertz: 150, rangeFactor: 1, formantFactor: 1, timeFactor }
}

function isPlain({ speakingRate, liveliness }: Prosody): boolean {
  return speakingRate === 1 && liveliness === 1
}
