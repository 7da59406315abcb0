/** Complex values, in two arrays. */
export interface Complex {
  real: Float32Array
  imaginary: Float32Array
}

export function complexOf(size: number): Complex {
  return { real: new Float32Array(size), imaginary: new Float32Array(size) }
}

/** A radix-2 Fourier transform in place. @param size a power of 2. */
export function createFourier(size: number) {
  const half = size / 2
  const cosines = Float32Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sines = Float32Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size))
  const bits = Math.log2(size)
  const reversed = Uint16Array.from({ length: size }, (_, index) => {
    let result = 0
    for (let bit = 0; bit < bits; bit++) if ((index >> bit) & 1) result |= 1 << (bits - 1 - bit)
    return result
  })
  const transform = ({ real, imaginary }: Complex, sign: 1 | -1): void => {
    for (let index = 0; index < size; index++) {
      const other = reversed[index]!
      if (other <= index) continue
      const firstReal = real[index]!
      const firstImaginary = imaginary[index]!
      real[index] = real[other]!
      imaginary[index] = imaginary[other]!
      real[other] = firstReal
      imaginary[other] = firstImaginary
    }
    for (let width = 2; width <= size; width *= 2) {
      const step = size / width
      for (let start = 0; start < size; start += width) {
        for (let k = 0; k < width / 2; k++) {
          const cosine = cosines[k * step]!
          const sine = sign * sines[k * step]!
          const first = start + k
          const second = first + width / 2
          const turnedReal = real[second]! * cosine - imaginary[second]! * sine
          const turnedImaginary = real[second]! * sine + imaginary[second]! * cosine
          real[second] = real[first]! - turnedReal
          imaginary[second] = imaginary[first]! - turnedImaginary
          real[first]! += turnedReal
          imaginary[first]! += turnedImaginary
        }
      }
    }
  }
  return {
    forward: (values: Complex) => transform(values, -1),
    /** Divides by the size, so that it inverts `forward`. */
    inverse(values: Complex) {
      transform(values, 1)
      for (let index = 0; index < size; index++) {
        values.real[index]! /= size
        values.imaginary[index]! /= size
      }
    },
  }
}
