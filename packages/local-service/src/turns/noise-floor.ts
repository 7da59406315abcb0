import { bandCount } from './band-powers.ts'

const frameMs = 10
/** Speech is measured over 30 ms, and the floor over 120 ms, so that a short gap does not lower it. */
const speechFrames = 30 / frameMs
const floorFrames = 120 / frameMs
/** The floor is the minimum of ten blocks, 2.5 s. Steady noise becomes the floor within this time; speech has pauses. */
const blockFrames = 250 / frameMs
const blocks = 10
/** The mean of noise exceeds its minimum. */
const biasDb = 2
/** −86 dB below full scale: quieter sound counts as silence. */
const minPower = 0.00065
const loudestBands = 2

/** Compares sound with the noise floor of each frequency band, which follows the noise around the speaker. */
export interface NoiseFloor {
  /** @param powers of the bands, every 10 ms. @returns how far the loudest bands exceed their floor, in dB. */
  push(powers: Float32Array): number
}

export function createNoiseFloor(): NoiseFloor {
  const bands = Array.from({ length: bandCount }, createBandFloor)
  return {
    push(powers) {
      const decibels = bands.map((band, index) => band.push(powers[index]!))
      decibels.sort((first, second) => second - first)
      const loudest = decibels.slice(0, loudestBands)
      return loudest.reduce((sum, value) => sum + value, 0) / loudestBands
    },
  }
}

/** The floor of one band. */
function createBandFloor() {
  const speech = createMovingMean(speechFrames)
  const noise = createMovingMean(floorFrames)
  const minima = new Float32Array(blocks).fill(Number.POSITIVE_INFINITY)
  let frames = 0
  return {
    /** @returns decibels above the floor. */
    push(power: number): number {
      const block = Math.floor(frames / blockFrames) % blocks
      if (frames % blockFrames === 0) minima[block] = Number.POSITIVE_INFINITY
      frames++
      minima[block] = Math.min(minima[block]!, noise.push(power))
      const floor = Math.max(Math.min(...minima), minPower)
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
