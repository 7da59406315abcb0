/** The taps on either side of the middle one: enough to resolve a formant. */
const halfTapsSeconds = 0.005
const points = 512

/** Gains of bands of equal width, from 0 Hz on. */
export interface BandGains {
  decibels: readonly number[]
  /** The end of the last band. Higher frequencies have its gain. */
  endHertz: number
}

/**
 * Designs a filter with the given gain in each band.
 * @returns the taps. They are symmetric, so the filter delays all frequencies equally.
 */
export function designEqualiser(
  { decibels, endHertz }: BandGains,
  sampleRateHertz: number,
): Float32Array {
  const halfTaps = Math.round(halfTapsSeconds * sampleRateHertz)
  const gains = Float64Array.from({ length: points + 1 }, (_, point) => {
    const hertz = (point / points) * (sampleRateHertz / 2)
    return between(decibels, (hertz / endHertz) * decibels.length)
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
  // JavaScript calculates in double precision, so samples and taps are converted only once.
  const rightTaps = Float64Array.from(taps.subarray(half))
  // Before the phrase is silence.
  let memory = new Float64Array(half)
  let waiting = half
  const push = (samples: Float32Array): Float32Array => {
    const length = waiting + samples.length
    if (length + outputsAtOnce > memory.length) {
      const larger = new Float64Array(2 * length)
      larger.set(memory)
      memory = larger
    }
    memory.set(samples, waiting)
    const count = Math.max(0, length - 2 * half)
    const output = filter(memory, rightTaps, count)
    memory.copyWithin(0, count, length)
    waiting = length - count
    return output
  }
  return { push, end: () => push(new Float32Array(half)) }
}

const outputsAtOnce = 4

/**
 * Applies symmetric taps, of which `taps` are the middle one and those to its right. Four outputs at a time share the
 * samples that they read, which takes less than half the time.
 * @param samples `count` and twice as many as the taps to the right, and further ones that `outputsAtOnce` may read.
 */
function filter(samples: Float64Array, taps: Float64Array, count: number): Float32Array {
  const output = new Float32Array(count)
  for (let index = 0; index < count; index += outputsAtOnce) {
    const middle = index + taps.length - 1
    let left1 = samples[middle]!
    let left2 = samples[middle + 1]!
    let left3 = samples[middle + 2]!
    let right0 = left2
    let right1 = left3
    let right2 = samples[middle + 3]!
    let sum0 = taps[0]! * left1
    let sum1 = taps[0]! * left2
    let sum2 = taps[0]! * left3
    let sum3 = taps[0]! * right2
    for (let tap = 1; tap < taps.length; tap++) {
      const weight = taps[tap]!
      const left0 = samples[middle - tap]!
      const right3 = samples[middle + 3 + tap]!
      sum0 += weight * (left0 + right0)
      sum1 += weight * (left1 + right1)
      sum2 += weight * (left2 + right2)
      sum3 += weight * (left3 + right3)
      left3 = left2
      left2 = left1
      left1 = left0
      right0 = right1
      right1 = right2
      right2 = right3
    }
    // Writing beyond the end of a typed array has no effect.
    output[index] = sum0
    output[index + 1] = sum1
    output[index + 2] = sum2
    output[index + 3] = sum3
  }
  return output
}
