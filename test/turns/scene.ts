import { createRandom } from '@parlando/test-support/vitest/random'
import { levelOf } from './noises.ts'
import { type Part, type Recording, rateHertz } from './recordings.ts'

/** A few minutes in which people speak one after another. */
export interface Scene {
  samples: Float32Array
  speech: readonly Part[]
}

/** Puts pauses of 0.9 to 2.5 s between the recordings. */
export function arrange(recordings: readonly Recording[]): Scene {
  const random = createRandom(5)
  const speech: Part[] = []
  const pieces: { start: number; samples: Float32Array }[] = []
  let start = 2 * rateHertz
  for (const recording of recordings) {
    const offset = start
    pieces.push({ start, samples: recording.samples })
    speech.push(
      ...recording.speech.map((part) => ({ start: part.start + offset, end: part.end + offset })),
    )
    start += recording.samples.length + Math.round(rateHertz * (0.9 + 1.6 * random()))
  }
  const samples = new Float32Array(start + 2 * rateHertz)
  for (const piece of pieces) samples.set(piece.samples, piece.start)
  return { samples, speech }
}

const speechLevel = 10 ** (-26 / 20)

/** Noise that is this many decibels below the speech. */
export function scaleNoise(noise: Float32Array, decibelsBelowSpeech: number): Float32Array {
  const gain = (speechLevel * 10 ** (-decibelsBelowSpeech / 20)) / levelOf(noise)
  return noise.map((sample) => sample * gain)
}

/** Adds noise, and that of a quiet microphone, and rounds to 16 bits. */
export function record(samples: Float32Array, noise?: Float32Array, gain = 1): Int16Array {
  const random = createRandom(3)
  return Int16Array.from(samples, (sample, at) => {
    const sum = sample * gain + (noise?.[at] ?? 0) + (random() - 0.5) * 2.4e-4
    return Math.max(-32_768, Math.min(32_767, Math.round(sum * 32_768)))
  })
}
