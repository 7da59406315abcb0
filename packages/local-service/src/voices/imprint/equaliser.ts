import { joinSamples } from '../../dsp/signal.ts'

/** Half as many taps as the filter has, without the one in the middle: 5 ms at 16 kHz, fine enough for a formant. */
const halfTaps = 80
const points = 512

/**
 * Makes the filter whose effect on each band is as wished.
 * @param decibels of bands of equal width from 0 to half the sample rate.
 * @returns its taps; it is symmetric, so it delays all notes alike.
 */
export function designEqualiser(decibels: readonly number[]): Float32Array {
  const wished = Float64Array.from({ length: points + 1 }, (_, point) => {
    return between(decibels, (point / points) * decibels.length)
  })
  return Float32Array.from({ length: 2 * halfTaps + 1 }, (_, tap) => {
    const distance = tap - halfTaps
    let sum = 0
    for (let point = 0; point <= points; point++) {
      const factor = 10 ** (wished[point]! / 20)
      const share = point === 0 || point === points ? 0.5 : 1
      sum += share * factor * Math.cos((Math.PI * point * distance) / points)
    }
    const taper = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (halfTaps + 1))
    return (sum / points) * taper
  })
}

/** The value at a place between the entries of a list, and that of its ends outside. */
export function between(values: ArrayLike<number>, place: number): number {
  const within = Math.min(Math.max(place, 0), values.length - 1)
  const index = Math.floor(within)
  const next = Math.min(index + 1, values.length - 1)
  return values[index]! + (values[next]! - values[index]!) * (within - index)
}

/** Runs one phrase through a filter. What comes out is as long as what went in, and nothing in it is moved. */
export interface Equaliser {
  push(samples: Float32Array): Float32Array
  end(): Float32Array
}

export function createEqualiser(taps: Float32Array): Equaliser {
  const half = taps.length >> 1
  let waiting = new Float32Array(half)
  const push = (samples: Float32Array): Float32Array => {
    const all = joinSamples([waiting, samples])
    const output = new Float32Array(Math.max(0, all.length - 2 * half))
    for (let index = 0; index < output.length; index++) {
      const middle = index + half
      let sum = taps[half]! * all[middle]!
      for (let tap = 1; tap <= half; tap++) {
        sum += taps[half + tap]! * (all[middle - tap]! + all[middle + tap]!)
      }
      output[index] = sum
    }
    waiting = all.slice(output.length)
    return output
  }
  return { push, end: () => push(new Float32Array(half)) }
}
