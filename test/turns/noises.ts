import { createRandom } from '@parlando/test-support/vitest/random'
import { rateHertz } from './recordings.ts'

/** Samples of −1…1. The level does not matter, since `mix` sets it. */
export type MakeNoise = (length: number) => Float32Array

/** Steady noise, whose level and colour do not change. */
export const steadyNoises: Readonly<Record<string, MakeNoise>> = {
  white: (length) => {
    const random = createRandom(11)
    return new Float32Array(length).map(() => random() - 0.5)
  },
  pink: makePinkNoise,
  hum: (length) => {
    const frequenciesHertz = [50, 100, 150, 250, 350]
    return new Float32Array(length).map((_, at) => {
      const angle = (2 * Math.PI * at) / rateHertz
      return frequenciesHertz.reduce((sum, hertz) => sum + Math.sin(angle * hertz), 0)
    })
  },
}

/** A plucked string: a burst of noise in a delay line that loses its high frequencies. */
function pluck(output: Float32Array, start: number, hertz: number, random: () => number): void {
  const line = new Float32Array(Math.round(rateHertz / hertz)).map(() => random() - 0.5)
  const end = Math.min(output.length, start + 2 * rateHertz)
  for (let at = start; at < end; at++) {
    const place = (at - start) % line.length
    const next = (place + 1) % line.length
    output[at]! += line[place]!
    line[place] = 0.498 * (line[place]! + line[next]!)
  }
}

const chords = [
  [131, 330, 392, 523],
  [110, 262, 330, 440],
  [87, 220, 262, 349],
  [98, 247, 294, 392],
]

/** A new chord of a guitar every two seconds. */
export function makeGuitar(length: number): Float32Array {
  const random = createRandom(13)
  const output = new Float32Array(length)
  for (let start = 0, chord = 0; start < length; start += 2 * rateHertz, chord++) {
    for (const hertz of chords[chord % chords.length]!) pluck(output, start, hertz, random)
  }
  return output
}

/** Chords of a synthesiser that swell and fade every two seconds. */
export function makePads(length: number): Float32Array {
  const output = new Float32Array(length)
  const [chordSamples, rise, fall] = [2 * rateHertz, 0.3 * rateHertz, 0.2 * rateHertz]
  for (let start = 0, chord = 0; start < length; start += chordSamples, chord++) {
    for (let at = 0; at < Math.min(chordSamples, length - start); at++) {
      const time = at / rateHertz
      const swell = Math.min(1, at / rise, (chordSamples - at) / fall)
      const tremolo = 0.85 + 0.15 * Math.sin(2 * Math.PI * 5 * time)
      const tones = chords[chord % chords.length]!.map((hertz) => triangle(hertz * time))
      output[start + at] = swell * tremolo * tones.reduce((sum, tone) => sum + tone, 0)
    }
  }
  return output
}

function triangle(periods: number): number {
  return 4 * Math.abs((periods % 1) - 0.5) - 1
}

/** A drum twice a second. */
function makeDrums(length: number): Float32Array {
  const hit = makePinkNoise(0.06 * rateHertz)
  const output = new Float32Array(length)
  for (let start = 0; start + hit.length < length; start += rateHertz / 2) {
    for (const [at, sample] of hit.entries()) output[start + at] = sample * (1 - at / hit.length)
  }
  return output
}

/** Guitar, pads and drums. */
export function makeMusic(length: number): Float32Array {
  const parts = [
    withPeak(makeGuitar(length), 1),
    withPeak(makePads(length), 1),
    withPeak(makeDrums(length), 0.7),
  ]
  return new Float32Array(length).map((_, at) => parts.reduce((sum, part) => sum + part[at]!, 0))
}

function makePinkNoise(length: number): Float32Array {
  const random = createRandom(12)
  // The filter of Paul Kellet.
  const state = [0, 0, 0]
  return new Float32Array(length).map(() => {
    const white = random() - 0.5
    state[0] = 0.997_65 * state[0]! + white * 0.099_046
    state[1] = 0.963 * state[1]! + white * 0.296_516_4
    state[2] = 0.57 * state[2]! + white * 1.052_691_3
    return state[0] + state[1] + state[2] + white * 0.1848
  })
}

function withPeak(samples: Float32Array, peak: number): Float32Array {
  const found = samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
  return samples.map((sample) => (peak * sample) / found)
}

/** Root mean square. */
export function levelOf(samples: Float32Array): number {
  let power = 0
  for (const sample of samples) power += sample ** 2
  return Math.sqrt(power / samples.length)
}
