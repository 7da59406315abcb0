/** Real and imaginary parts. */
export type ComplexNumbers = readonly [real: Float32Array, imaginary: Float32Array]

interface Stage {
  /** How long the transforms are that the stage joins. */
  length: number
  /** How many it joins into one. */
  radix: number
  /** How many it makes at a time. */
  count: number
  /** The real and the imaginary part of each factor. */
  factors: Float32Array
}

/**
 * A complex Fourier transform of a size that is no power of two. Joins short transforms to longer ones, each stage in the order
 * in which the next one reads them (Stockham).
 * @param radices the factors of the size.
 * @returns a function whose result the next call overwrites.
 */
export function createFourierTransform(
  radices: readonly number[],
): (real: Float32Array, imaginary: Float32Array) => ComplexNumbers {
  const size = radices.reduce((product, radix) => product * radix, 1)
  const stages = createStages(radices, size)
  const buffers = [0, 1].map(() => [new Float32Array(size), new Float32Array(size)] as const)
  return (real, imaginary) => {
    let from: ComplexNumbers = [real, imaginary]
    stages.forEach((stage, index) => {
      const to = buffers[index % 2]!
      runStage(stage, from, to)
      from = to
    })
    return from
  }
}

function createStages(radices: readonly number[], size: number): Stage[] {
  let length = 1
  return radices.map((radix) => {
    const joined = length * radix
    const factors = new Float32Array(2 * joined * radix)
    for (let frequency = 0; frequency < joined; frequency++) {
      for (let part = 0; part < radix; part++) {
        const angle = (-2 * Math.PI * ((frequency * part) % joined)) / joined
        const at = 2 * (frequency * radix + part)
        factors[at] = Math.cos(angle)
        factors[at + 1] = Math.sin(angle)
      }
    }
    const stage = { length, radix, count: size / joined, factors }
    length = joined
    return stage
  })
}

function runStage(
  { length, radix, count, factors }: Stage,
  [fromReal, fromImaginary]: ComplexNumbers,
  [toReal, toImaginary]: ComplexNumbers,
): void {
  toReal.fill(0)
  toImaginary.fill(0)
  for (let frequency = 0; frequency < length * radix; frequency++) {
    const to = frequency * count
    for (let part = 0; part < radix; part++) {
      const from = ((frequency % length) * radix + part) * count
      const cosine = factors[2 * (frequency * radix + part)]!
      const sine = factors[2 * (frequency * radix + part) + 1]!
      for (let index = 0; index < count; index++) {
        const a = fromReal[from + index]!
        const b = fromImaginary[from + index]!
        toReal[to + index]! += a * cosine - b * sine
        toImaginary[to + index]! += a * sine + b * cosine
      }
    }
  }
}
