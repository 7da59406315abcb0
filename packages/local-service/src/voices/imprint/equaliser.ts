import { joinSamples } from '../../dsp/signal.ts'

// The taps on either side of the middle one: 5 ms at 16 kHz, enough to resolve a formant.
const halfTaps = 80
const points = 512

/**
 * Designs a filter with the given gain in each band.
 * @param decibels gains of bands of equal width from 0 to half the sample rate.
 * @returns the taps. They are symmetric, so the filter delays all frequencies equally.
 */
export function designEqualiser(decibels: readonly number[]): Float32Array {
  const gains = Float64Array.from({ length: points + 1 }, (_, point) => {
    return between(decibels, (point / points) * decibels.length)
  })
  return Float32Array.from({ length: 2 * halfTaps + 1 }, (_, tap) => {
    const distance = tap - halfTaps
    let sum = 0
    for (let point = 0; point <= points; point++) {
      const factor = 10 ** (gains[point]! / 20)
      const share = point === 0 || point === points ? 0.5 : 1
      sum += share * factor * Math.cos((Math.PI * point * distance) / points)
    }
    const taper = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (halfTaps + 1))
    return (sum / points) * taper
  })
}

/** Interpolates linearly between the entries of a list. Outside the list, it returns the value of the nearest end. */
export function between(values: ArrayLike<number>, place: number): number {
  const within = Math.min(Math.max(place, 0), values.length - 1)
  const index = Math.floor(within)
  const next = Math.min(index + 1, values.length - 1)
  return values[index]! + (values[next]! - values[index]!) * (within - index)
}

/** Filters one phrase. The output has the length of the input and no delay. */
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
