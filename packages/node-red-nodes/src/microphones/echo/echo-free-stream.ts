import { wholeSamples } from '@parlando/core/audio'
import { pcmOf, samplesOf } from '../../sounds/pcm-samples.ts'
import { createResampler } from '../../sounds/polyphase-resampler.ts'
import type { Sound } from '../../sounds/sound.ts'
import { sampleRateHertz } from '../microphone-recording.ts'
import { EchoFreeRecording } from './echo-free-recording.ts'

/** A voice must have this share of the power of the echo that was removed: 12 dB less, or 9 dB if the sound has the words. */
const minShare = 0.06
const minShareOfOwnWords = 0.125
/** Where a sound is in a recording is known after a second, or two if the player holds much of it. */
export const searchSamples = 3 * sampleRateHertz
/** A recogniser reports the start of speech a little late. */
const edgeSamples = 0.15 * sampleRateHertz

/** Where somebody speaks in a recording. */
export interface TurnSamples {
  start: number
  end: number
}

/** What a microphone records while a sound plays next to it, without that sound. */
export interface EchoFreeStream {
  /** @param pcm as a microphone records it. @returns as much of it as is ready, without the sound. */
  take(pcm: Buffer): Buffer
  /** How many samples of the result there are. */
  readonly samples: number
  /** Whether the sound was found in the recording, and is removed. */
  readonly isSettled: boolean
  /**
   * Whether somebody has spoken between two samples of the result, rather than the sound. As long as it is not known where
   * the sound is in the recording, nothing is taken for a voice in the first three seconds, and its own words later neither.
   * @param isOwn whether the sound itself contains the words.
   */
  isVoice(turn: TurnSamples, isOwn: boolean): boolean
}

/**
 * Begins to record next to a speaker.
 * @param sound PCM that the speaker plays, from its first sample on.
 * @param elapsedMs for how long it has played.
 * @param signal ends the reading of the sound.
 */
export function createEchoFreeStream(
  sound: Sound,
  elapsedMs: number,
  signal: AbortSignal,
): EchoFreeStream {
  const recording = new EchoFreeRecording(Math.round((elapsedMs / 1000) * sampleRateHertz))
  let samples = 0
  // If a sound is stopped, only its beginning must be removed.
  readPlayed(recording, sound, signal).catch(() => {})
  return {
    take(pcm) {
      const rest = recording.record(samplesOf(pcm))
      samples += rest.length
      return pcmOf(rest)
    },
    get samples() {
      return samples
    },
    get isSettled() {
      return recording.isSettled
    },
    isVoice({ start, end }, isOwn) {
      const { echo, rest, isSettled } = recording.between(start - edgeSamples, end)
      if (!isSettled) return !isOwn && start >= searchSamples
      return rest >= (isOwn ? minShareOfOwnWords : minShare) * echo
    },
  }
}

/** Gives the recording the sound that it must not take for a voice. */
async function readPlayed(
  recording: EchoFreeRecording,
  sound: Sound,
  signal: AbortSignal,
): Promise<void> {
  const resampler = createResampler(sound.format.sampleRateHertz, sampleRateHertz)
  const whole = wholeSamples()
  for await (const chunk of sound.read(signal))
    recording.play(resampler.push(samplesOf(whole(chunk))))
}
