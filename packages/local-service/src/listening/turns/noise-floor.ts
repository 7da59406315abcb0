import { createSpectrum } from '../../audio/spectrum.ts'
import { stepMs } from './detectors.ts'

/** Speech is measured over 30 ms, and the floor over 120 ms, so that a short gap does not lower it. */
const speechSteps = 30 / stepMs
const floorSteps = 120 / stepMs
/** The floor is the minimum of the current and nine earlier blocks, 2.5 s. Steady noise becomes the floor within this time; speech has pauses. */
const blockSteps = 250 / stepMs
const blocks = 9
/** The mean of noise exceeds its minimum. */
const biasDb = 2
/** −86 dB below full scale: quieter sound counts as silence. */
const minPower = 0.00065

/** Compares sound with the noise floor of each frequency band, which follows the noise around the speaker. */
export interface NoiseFloor {
  /** @param powers of the bands, every 10 ms. @returns how far the two loudest bands exceed their floors on average, in dB. */
  push(powers: Float32Array): number
}

export function createNoiseFloor(): NoiseFloor {
  const bands = Array.from({ length: bandCount }, createBandFloor)
  return {
    push(powers) {
      let [loudest, second] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (let band = 0; band < bandCount; band++) {
        const decibels = bands[band]!.push(powers[band]!)
        if (decibels > loudest) [loudest, second] = [decibels, loudest]
        else if (decibels > second) second = decibels
      }
      return (loudest + second) / 2
    },
  }
}

/** The floor of one band. */
function createBandFloor() {
  const speech = createMovingMean(speechSteps)
  const noise = createMovingMean(floorSteps)
  const minima = new Float32Array(blocks).fill(Number.POSITIVE_INFINITY)
  let earlierMinimum = Number.POSITIVE_INFINITY
  let minimum = Number.POSITIVE_INFINITY
  let steps = 0
  const startBlock = (): void => {
    minima[(steps / blockSteps) % blocks] = minimum
    earlierMinimum = Math.min(...minima)
    minimum = Number.POSITIVE_INFINITY
  }
  return {
    /** @returns decibels above the floor. */
    push(power: number): number {
      if (steps % blockSteps === 0) startBlock()
      steps++
      minimum = Math.min(minimum, noise.push(power))
      const floor = Math.max(Math.min(minimum, earlierMinimum), minPower)
      const level = Math.max(speech.push(power), minPower / 2.5)
      return 10 * Math.log10(level / floor) - biasDb
    },
  }
}

function createMovingMean(length: number) {
  const values = new Float64Array(length)
  let [sum, count] = [0, 0]
  return {
    push(value: number): number {
      const place = count % length
      sum += value - values[place]!
      values[place] = value
      count++
      // Without this, rounding errors add up over days.
      if (place === 0) sum = values.reduce((total, one) => total + one, 0)
      return sum / Math.min(count, length)
    },
  }
}

const size = 256
/** The first bin of each band and the bin after the last band. A bin is 62.5 Hz wide: the bands reach from 125 to 7,000 Hz. */
const edges = [2, 4, 8, 14, 24, 40, 64, 112]

const bandCount = edges.length - 1

/** The power in each frequency band of the last 16 ms, for samples at 16 kHz. */
export interface BandMeter {
  /** @returns the powers after these samples. Valid until the next call. */
  push(samples: Int16Array): Float32Array
}

export function createBandMeter(): BandMeter {
  const spectrum = createSpectrum(size)
  const weights = Float32Array.from({ length: size }, (_, index) => {
    return (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size)) / 32_768
  })
  const recent = new Float32Array(size)
  const weighted = new Float32Array(size)
  const powers = new Float32Array(bandCount)
  return {
    push(samples) {
      recent.copyWithin(0, samples.length)
      recent.set(samples, size - samples.length)
      for (let index = 0; index < size; index++) weighted[index] = recent[index]! * weights[index]!
      const bins = spectrum.powersOf(weighted)
      for (let band = 0; band < bandCount; band++) {
        let sum = 0
        for (let bin = edges[band]!; bin < edges[band + 1]!; bin++) sum += bins[bin]!
        powers[band] = sum
      }
      return powers
    },
  }
}
