import { type ComplexNumbers, createFourierTransform } from '../../audio/fourier.ts'
import { joinSamples } from '../../audio/signal.ts'
import type { Rows } from '../../neural-networks/rows.ts'

/** Turns spectra into sound, frame by frame. */
export interface Vocoder {
  /** @returns the samples, −1…1, that later frames do not change. */
  vocode(spectra: Rows, isLast: boolean): Float32Array
}

export const sampleRateHertz = 24_000
const hop = 300
const size = 1_200
const half = size / 2
/** The frequencies of a spectrum, from 0 Hz to half the sample rate. */
const bins = half + 1
/** Larger exponents are errors of the network. */
const maxExponent = 7
const hann = Float32Array.from(
  { length: size },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size),
)
const transform = createFourierTransform([5, 5, 3, 4, 4])

/**
 * Each spectrum has five parts: the size and phase of a filter for pulses of the pitch, the size of noise, and the size and
 * phase of what is neither. Two frames at a time are the real and the imaginary part of one transform.
 * @param pitchesHertz of all frames of the phrase.
 */
export function createVocoder(pitchesHertz: Float32Array): Vocoder {
  const pulses = createPulses(pitchesHertz)
  const overlap = createOverlap()
  const real = new Float32Array(size)
  const imaginary = new Float32Array(size)
  const shape = createShaper()
  let frame = 0

  const transformPulses = (): ComplexNumbers => {
    for (let index = 0; index < size; index++) {
      const sample = frame * hop + index - half
      const factor = hann[index]! / (size / 4)
      real[index] = pulses.at(reflect(sample, pulses.length)) * factor
      imaginary[index] = pulses.at(reflect(sample + hop, pulses.length)) * factor
    }
    return transform(real, imaginary)
  }

  /** @returns the samples of two frames, the second with the opposite sign. */
  const synthesizePair = ({ values }: Rows, first: number, second: number): ComplexNumbers => {
    const [x, y] = transformPulses()
    for (let bin = 0; bin < bins; bin++) {
      const mirror = (size - bin) % size
      const isReal = bin === 0 || bin === half
      shape.set(values, first + bin, (x[bin]! + x[mirror]!) / 2, (y[bin]! - y[mirror]!) / 2)
      const a = shape.real
      const b = isReal ? 0 : shape.imaginary
      shape.set(values, second + bin, (y[bin]! + y[mirror]!) / 2, (x[mirror]! - x[bin]!) / 2)
      const c = shape.real
      const d = isReal ? 0 : shape.imaginary
      // The inverse of a spectrum is the conjugate of the transform of its conjugate.
      real[bin] = a - d
      imaginary[bin] = -(b + c)
      real[mirror] = a + d
      imaginary[mirror] = b - c
    }
    return transform(real, imaginary)
  }

  return {
    vocode(spectra, isLast) {
      const pieces: Float32Array[] = []
      for (let row = 0; row < spectra.count; row += 2) {
        const hasSecond = row + 1 < spectra.count
        const first = row * spectra.width
        const pair = synthesizePair(spectra, first, hasSecond ? first + spectra.width : first)
        pieces.push(overlap.add(pair[0], 1))
        if (hasSecond) pieces.push(overlap.add(pair[1], -1))
        frame += hasSecond ? 2 : 1
      }
      if (isLast) pieces.push(overlap.end())
      return joinSamples(pieces)
    },
  }
}

/** Computes one frequency of a spectrum at a time; objects for each would take longer than the computation. */
function createShaper() {
  const nextNoise = createNoise()
  const shaped = {
    real: 0,
    imaginary: 0,
    set(values: Float32Array, at: number, pulseReal: number, pulseImaginary: number): void {
      const filter = Math.exp(Math.min(values[at]!, maxExponent))
      const turn = Math.PI * Math.tanh(values[at + bins]!)
      const noise = Math.exp(Math.min(values[at + 2 * bins]!, maxExponent))
      const rest = Math.exp(Math.min(values[at + 3 * bins]!, maxExponent))
      const phase = values[at + 4 * bins]!
      const cosine = filter * Math.cos(turn)
      const sine = filter * Math.sin(turn)
      shaped.real =
        pulseReal * cosine - pulseImaginary * sine + noise * nextNoise() + rest * Math.cos(phase)
      shaped.imaginary =
        pulseReal * sine + pulseImaginary * cosine + noise * nextNoise() + rest * Math.sin(phase)
    },
  }
  return shaped
}

/** Joins frames that overlap. The first and the last half of a window are no part of the sound. */
function createOverlap() {
  const sum = new Float32Array(size)
  const windows = new Float32Array(size)
  let skipped = 0
  const take = (count: number): Float32Array => {
    const samples = sum.slice(0, count)
    for (let index = 0; index < count; index++) samples[index]! /= Math.max(windows[index]!, 1e-11)
    for (const values of [sum, windows]) {
      values.copyWithin(0, count)
      values.fill(0, size - count)
    }
    const lead = Math.min(count, half - skipped)
    skipped += lead
    return samples.subarray(lead)
  }
  return {
    add(samples: Float32Array, sign: 1 | -1): Float32Array {
      for (let index = 0; index < size; index++) {
        sum[index]! += (sign * samples[index]! * hann[index]!) / size
        windows[index]! += hann[index]! ** 2
      }
      return take(hop)
    },
    end: () => take(half),
  }
}

const lowestVoiceHertz = 40
const highestHarmonicHertz = 11_000

/**
 * Pulses with all harmonics below 11 kHz at the same size; silence where there is no voice. They are made when they are needed:
 * those of a whole phrase would delay its first sound.
 */
function createPulses(pitchesHertz: Float32Array) {
  const samples = new Float32Array(pitchesHertz.length * hop)
  let made = 0
  let cycles = 0
  const makeNext = () => {
    const hertz = pitchAt(pitchesHertz, (made + 0.5) / hop - 0.5)
    const voiced = Math.max(hertz, lowestVoiceHertz)
    cycles = (cycles + voiced / sampleRateHertz) % 1
    if (hertz > lowestVoiceHertz) samples[made] = pulseAt(cycles, voiced)
    made += 1
  }
  return {
    length: samples.length,
    at(index: number): number {
      while (made <= index) makeNext()
      return samples[index]!
    },
  }
}

/** The sum of the cosines of all harmonics. */
function pulseAt(cycles: number, hertz: number): number {
  const angle = 2 * Math.PI * cycles
  const harmonics = Math.floor(highestHarmonicHertz / hertz) + 0.5
  const divisor = 2 * Math.sin(angle / 2)
  // The limit near the start of a cycle, where the divisor is 0.
  const quotient = Math.abs(divisor) <= 2e-3 ? harmonics : Math.sin(harmonics * angle) / divisor
  return quotient - 0.5
}

function pitchAt(pitchesHertz: Float32Array, frame: number): number {
  const last = pitchesHertz.length - 1
  const before = Math.floor(frame)
  const share = frame - before
  const first = pitchesHertz[Math.max(0, before)]!
  return first * (1 - share) + pitchesHertz[Math.min(last, before + 1)]! * share
}

/** The index of a sample in a sound that is mirrored at its ends. */
function reflect(index: number, length: number): number {
  const positive = Math.abs(index)
  return positive < length ? positive : Math.max(0, 2 * (length - 1) - positive)
}

const noiseTable = createNoiseTable()

/** Gaussian noise, the same in each phrase, so that the same text has the same sound. */
function createNoise(): () => number {
  let index = 0
  // Steps of a prime number: the next round takes the values in other places of a frame.
  return () => {
    index = (index + 40_503) % noiseTable.length
    return noiseTable[index]!
  }
}

function createNoiseTable(): Float32Array {
  let state = 1
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return Float32Array.from(
    { length: 65_536 },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  )
}
