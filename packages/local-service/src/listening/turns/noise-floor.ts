import { bandCount } from './band-powers.ts'
import { stepMs } from './frames.ts'

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
