/** Zero crossings of the filter on each side: enough for music without audible aliasing. */
const zeroCrossings = 16
/** The filter falls off below half of the lower rate. */
const passband = 0.92

/**
 * Creates a polyphase filter with a windowed sinc. Rates must be positive integers.
 *
 * The local service uses speex, compiled to WebAssembly, instead: that is faster for hours of sound, but it loads
 * asynchronously and its memory must be freed. The worklet of a page can do neither.
 */
export function createResampler(inputRateHertz: number, outputRateHertz: number) {
  if (inputRateHertz === outputRateHertz) {
    return { push: (samples: Float32Array) => samples, end: () => new Float32Array() }
  }
  const divisor = greatestCommonDivisor(inputRateHertz, outputRateHertz)
  // Time is counted in units of 1/phases input samples.
  const phases = outputRateHertz / divisor
  const step = inputRateHertz / divisor
  const cutoff = passband * Math.min(1, outputRateHertz / inputRateHertz)
  const reach = Math.ceil(zeroCrossings / cutoff)
  const kernels = new Map<number, Float32Array>()
  const kernelOf = (phase: number) => {
    const kernel = kernels.get(phase) ?? createKernel(phase / phases, cutoff, reach)
    kernels.set(phase, kernel)
    return kernel
  }
  // The sound begins after silence.
  let pending = new Float32Array(reach - 1)
  let time = 0

  const push = (samples: Float32Array) => {
    const input = new Float32Array(pending.length + samples.length)
    input.set(pending)
    input.set(samples, pending.length)
    const output: number[] = []
    for (; Math.floor(time / phases) + 2 * reach <= input.length; time += step) {
      const start = Math.floor(time / phases)
      output.push(weightedSum(kernelOf(time % phases), input, start))
    }
    const done = Math.min(Math.floor(time / phases), input.length)
    pending = input.slice(done)
    time -= done * phases
    return Float32Array.from(output)
  }
  return {
    /** @returns the samples that are ready; the last few need more input. */
    push,
    /** @returns the samples that were held back. */
    end: () => push(new Float32Array(reach)),
  }
}

/** @param fraction the distance of the output sample from the input sample before it, 0 to 1. */
function createKernel(fraction: number, cutoff: number, reach: number): Float32Array {
  const weights = Array.from({ length: 2 * reach }, (_, index) => {
    const distance = index - reach + 1 - fraction
    const angle = Math.PI * cutoff * distance
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach))
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Float32Array.from(weights, (weight) => weight / sum)
}

function weightedSum(weights: Float32Array, samples: Float32Array, start: number): number {
  let sum = 0
  for (let index = 0; index < weights.length; index++) {
    sum += weights[index]! * samples[start + index]!
  }
  return sum
}

function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second)
}
