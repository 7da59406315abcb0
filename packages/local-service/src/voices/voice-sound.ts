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

/** How loud every voice speaks, as `speechLevel` measures it. */
export const commonLevel = 0.12

/** What is done to an engine's sound to make it the voice's. */
export interface VoiceSound {
  /** Absent where nothing changes. */
  settings?: ImprintSettings
  /** Factor that brings the voice to the loudness of the others. */
  gain: number
}

const imprints = new WeakMap<VoiceProfile, ImprintSettings>()

/**
 * Works out how a voice sounds in one utterance. What its imprint needs is computed once, in about a millisecond.
 * A voice that was never measured, such as one of another service, keeps its loudness and its melody.
 */
export function soundOf(
  { engine, engineVoice, imprint }: SoundSource,
  prosody: Prosody,
): VoiceSound {
  const base = findBaseVoice(engine, engineVoice)
  if (!base) return { gain: 1, settings: paceAlone(prosody) }
  const gain = commonLevel / base.profile.level
  if (!imprint && isPlain(prosody)) return { gain }
  const settings = imprint ? settingsOf(base, imprint) : plainSettings(base)
  return { gain, settings: withProsody(settings, prosody) }
}

type SoundSource = Pick<SpeakingVoice, 'engine' | 'engineVoice' | 'imprint'>

function settingsOf(base: BaseVoice, imprint: VoiceProfile): ImprintSettings {
  const settings = imprints.get(imprint) ?? imprintSettings(base, imprint)
  imprints.set(imprint, settings)
  return settings
}

function paceAlone({ speakingRate }: Prosody): ImprintSettings | undefined {
  if (speakingRate === 1) return undefined
  const timeFactor = 1 / speakingRate
  return { fromHertz: 150, toHertz: 150, rangeFactor: 1, formantFactor: 1, timeFactor }
}

function isPlain({ speakingRate, liveliness }: Prosody): boolean {
  return speakingRate === 1 && liveliness === 1
}
