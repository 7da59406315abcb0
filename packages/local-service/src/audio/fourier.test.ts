import { expect, it } from 'vitest'
import { createFourierTransform } from './fourier.ts'

it.each([[[5, 5, 3, 4, 4]], [[2]], [[3, 7]]])(
  'a transform with the factors %j has the sums of its definition',
  (radices) => {
    const size = radices.reduce((product, radix) => product * radix, 1)
    const real = Float32Array.from({ length: size }, (_, index) => Math.sin(index * index))
    const imaginary = Float32Array.from({ length: size }, (_, index) => Math.cos(3 * index))
    const [x, y] = createFourierTransform(radices)(real, imaginary)
    for (let frequency = 0; frequency < size; frequency++) {
      let [sumReal, sumImaginary] = [0, 0]
      for (let index = 0; index < size; index++) {
        const angle = (-2 * Math.PI * frequency * index) / size
        sumReal += real[index]! * Math.cos(angle) - imaginary[index]! * Math.sin(angle)
        sumImaginary += real[index]! * Math.sin(angle) + imaginary[index]! * Math.cos(angle)
      }
      expect(x[frequency]).toBeCloseTo(sumReal, 3)
      expect(y[frequency]).toBeCloseTo(sumImaginary, 3)
    }
  },
)
