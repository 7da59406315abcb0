import measured from './base-voices.json' with { type: 'json' }
import type { VoiceProfile } from './profile.ts'

/** A voice of an engine as it is without an imprint, measured once and for all. */
export interface BaseVoice {
  engine: string
  engineVoice: string
  /** Whether it still sounds well when its pitch is moved far: statistical voices do, diphone voices do not. */
  isPliable: boolean
  profile: VoiceProfile
  /** The mean power in each band of the envelope, in dB. */
  spectrumDecibels: readonly number[]
  /** How much louder it becomes when its pitch is multiplied by each of `measuredPitchFactors`, in dB. */
  loudnessByPitch: readonly number[]
}

/** A quarter of an octave apart, from an octave lower to one higher. */
export const measuredPitchFactors = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((step) => 2 ** (step / 4))

/** Made by `npm run measure-voices`, which must run again when an engine or the measuring changes. */
export const baseVoices = measured as unknown as readonly BaseVoice[]

export function findBaseVoice(engine: string, engineVoice: string): BaseVoice | undefined {
  return baseVoices.find((base) => base.engine === engine && base.engineVoice === engineVoice)
}
