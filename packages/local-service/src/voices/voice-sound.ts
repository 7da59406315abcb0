import { commonLufs } from '../audio/integrated-loudness.ts'
import { type BaseVoice, findBaseVoice } from './base-voices.ts'
import { type ImprintSettings, imprintSettings, withProsody } from './imprint/imprint-settings.ts'
import measured from './measured-voices.json' with { type: 'json' }
import type { VoiceProfile } from './profile.ts'
import type { Prosody } from './prosody.ts'
import type { SpeakingVoice } from './speaking-voice.ts'

/** How the sound of an engine becomes the sound of a voice. */
export interface VoiceSound {
  /** Absent if the sound needs no reshaping. */
  settings?: ImprintSettings
  /** Factor that brings the voice to `commonLufs`. */
  gain: number
}

/** A voice that is not in `base-voices.json`, because no clone begins with it. */
export interface MeasuredVoice {
  /** The integrated loudness of the engine's sound. */
  lufs: number
  /** The median of the pitch, around which the melody is widened or narrowed. Absent: the melody stays as it is. */
  medianHertz?: number
}

/** What was measured, by engine for all its voices, or by engine and voice. `npm run measure-voices` measures the built-in ones. */
const measuredVoices: Readonly<Record<string, MeasuredVoice>> = {
  ...measured,
  espeak: { lufs: -21 },
}

const imprints = new WeakMap<VoiceProfile, ImprintSettings>()

/**
 * Finds the settings and the gain for one utterance. The settings of an imprint are computed once, in about a
 * millisecond. A voice without measurements, such as one of another service, keeps its loudness and its melody; installed models
 * bring themselves to the common loudness.
 */
export function soundOf(
  { engine, engineVoice, imprint, addedDecibels = 0 }: SoundSource,
  prosody: Prosody,
): VoiceSound {
  const base = findBaseVoice(engine, engineVoice)
  const known = measuredVoices[`${engine}/${engineVoice}`] ?? measuredVoices[engine]
  const lufs = base?.loudnessLufs ?? known?.lufs ?? commonLufs
  const gain = 10 ** ((commonLufs - lufs - addedDecibels) / 20)
  if (base && imprint) return { gain, settings: withProsody(settingsOf(base, imprint), prosody) }
  const medianHertz = base?.isNatural
    ? undefined
    : (base?.profile.pitch.medianHertz ?? known?.medianHertz)
  return { gain, settings: prosodyOnly(prosody, medianHertz) }
}

type SoundSource = Pick<SpeakingVoice, 'engine' | 'engineVoice' | 'imprint' | 'addedDecibels'>

function settingsOf(base: BaseVoice, imprint: VoiceProfile): ImprintSettings {
  const settings = imprints.get(imprint) ?? imprintSettings(base, imprint)
  imprints.set(imprint, settings)
  return settings
}

/** @param medianHertz absent: the melody stays as it is. */
function prosodyOnly(
  { speakingRate, liveliness }: Prosody,
  medianHertz?: number,
): ImprintSettings | undefined {
  const rangeFactor = medianHertz ? liveliness : 1
  if (speakingRate === 1 && rangeFactor === 1) return undefined
  const hertz = medianHertz ?? 150
  const timeFactor = 1 / speakingRate
  return { fromHertz: hertz, toHertz: hertz, rangeFactor, formantFactor: 1, timeFactor }
}
