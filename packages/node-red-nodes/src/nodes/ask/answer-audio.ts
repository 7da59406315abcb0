import {
  createEchoFreeStream,
  type EchoFreeStream,
  searchSamples,
  type TurnSamples,
} from '../../microphones/echo/echo-free-stream.ts'
import type { Microphone } from '../../microphones/microphone.ts'
import { bytesPerSecond, sampleRateHertz } from '../../microphones/microphone-recording.ts'
import type { Sound } from '../../sounds/sound.ts'
import { createGrowingRecording } from '../../sounds/to-recognise/growing-recording.ts'

/** A recogniser that is behind by more does not catch up. */
const maxWaitingBytes = 30 * bytesPerSecond
/** A turn starts this long before its first voice, see turns.md. */
const prefixSamples = 0.4 * sampleRateHertz

/** The sound of the microphone that hears best, and whether a turn in it is a voice. */
export function createAnswerAudio() {
  const audio = createGrowingRecording()
  const streams = new Map<Microphone, EchoFreeStream>()
  let source: Microphone | undefined
  let samples = 0
  /** The samples until the question was said to its end. */
  let saidSamples: number | undefined
  return {
    readChunks: audio.readChunks,
    append(pcm: Buffer, from: Microphone) {
      source = from
      if (audio.waitingBytes >= maxWaitingBytes) return
      samples += pcm.length / 2
      audio.append(pcm)
    },
    /** The question was said to its end. */
    noteSaid() {
      saidSamples ??= samples
    },
    /** Whether a turn that starts at this sample began while the question was said. */
    beganWhileSaying: (start: number) =>
      saidSamples === undefined || start + prefixSamples < saidSamples,
    /** @returns a function that removes the played sound from what a microphone records. */
    createFilter(microphone: Microphone, played: Sound | undefined, signal: AbortSignal) {
      streams.delete(microphone)
      if (!played) return (pcm: Buffer) => pcm
      const startedAt = performance.now()
      return (pcm: Buffer) => {
        const stream =
          streams.get(microphone) ??
          createEchoFreeStream(played, performance.now() - startedAt, signal)
        streams.set(microphone, stream)
        const rest = stream.take(pcm)
        // The question would be recognised, and hold up the answer to it.
        const isQuestion =
          saidSamples === undefined && !stream.isSettled && stream.samples < searchSamples
        return isQuestion ? Buffer.alloc(rest.length) : rest
      }
    },
    /** The number of samples until now. */
    get samples() {
      return samples
    },
    isVoice(turn: TurnSamples): boolean {
      const stream = source === undefined ? undefined : streams.get(source)
      if (!stream) return true
      // A microphone that was chosen late has a time of its own.
      const lateness = stream.samples - samples
      const own = { start: turn.start + lateness, end: turn.end + lateness }
      return stream.isVoice(own, false)
    },
  }
}

export type AnswerAudio = ReturnType<typeof createAnswerAudio>
