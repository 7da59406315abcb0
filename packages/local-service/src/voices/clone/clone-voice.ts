import { ServiceError } from '../../errors.ts'
import type { VoiceProfile } from '../profile.ts'
import type { SampleReport } from './measure-samples.ts'
import { measureInThread } from './measuring-thread.ts'
import { nearestVoice } from './nearest-voice.ts'

export interface CloneOptions {
  /** WAV, MP3 or WEBM files of one person speaking, at most 4 MB each. */
  samples: readonly Uint8Array[]
  /** Whether to silence what is heard between the words. */
  removeBackgroundNoise: boolean
  signal: AbortSignal
}

export interface VoiceClone {
  profile: VoiceProfile
  /** The engine and the voice in it that are nearest to the profile: what the imprint is made on. */
  engine: string
  engineVoice: string
  /** What there is to say of the recordings, in their order. */
  samples: readonly SampleReport[]
}

/**
 * Measures a voice from recordings, in a thread of its own: a tenth of a second for each, and the start of the thread.
 * The recordings are not kept.
 * @throws {ServiceError} when no voice can be made of them; the message names the recordings by their position.
 */
export async function cloneVoice(options: CloneOptions): Promise<VoiceClone> {
  const { samples, removeBackgroundNoise, signal } = options
  signal.throwIfAborted()
  const measured = await measureInThread({ samples, removeBackgroundNoise }, signal)
  const { profile, problem, reports } = measured
  if (!profile) throw new ServiceError('INVALID_ARGUMENT', `voiceSamples: ${problem}`)
  const { engine, engineVoice } = nearestVoice(profile)
  return { profile, engine, engineVoice, samples: reports }
}
