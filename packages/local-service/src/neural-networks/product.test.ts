import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Multiplier } from './product.ts'

const random = (size: number) =>
  Float32Array.from({ length: size }, (_, index) => Math.sin(index * 12.9898 + size) * 2)
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

describe('Multiplier', () => {
  it.each([
    { rows: 5, outputs: 1 },
    { rows: 33, outputs: 7 },
    { rows: 4, outputs: 8 },
  ])('multiplies $rows rows by a matrix with $outputs outputs', ({ rows, outputs }) => {
    const width = 24
    const multiplier = new Multiplier()
    const weights = Int8Array.from(random(outputs * width), (value) => value * 60)
    const [scales, biases] = [random(outputs), random(outputs + 1).subarray(1)]
    const matrix = {
      weights: multiplier.keep(new Uint8Array(weights.buffer)),
      scales: multiplier.keep(bytesOf(scales)),
      biases: multiplier.keep(bytesOf(biases)),
      outputs,
      width,
    }
    const inputs = random(rows * width)
    const { values, count } = multiplier.multiply({ values: inputs, count: rows, width }, matrix)
    expect(count).toBe(rows)
    for (let row = 0; row < rows; row++) {
      for (let output = 0; output < outputs; output++) {
        let sum = 0
        for (let index = 0; index < width; index++) {
          sum += inputs[row * width + index]! * weights[output * width + index]!
        }
        const expected = sum * scales[output]! + biases[output]!
        // Inputs of up to 2 have 14 bits, and weights and scales are up to 120 and 2.
        const largestError = (2 / 2 ** 14) * 120 * width * 2
        expect(Math.abs(values[row * outputs + output]! - expected)).toBeLessThan(largestError)
      }
    }
  })

  it('lets one row stand for several', () => {
    const [heads, width] = [2, 32]
    const projected = random(3 * 3 * width)
    const multiplier = new Multiplier()
    const once = { values: projected, count: 3, width: 3 * width }
    const counted = multiplier.attend(once, heads, Float32Array.of(3, 1, 1))
    const first = [...projected.subarray(0, 3 * width)]
    const repeated = Float32Array.from([...first, ...first, ...projected])
    const thrice = { values: repeated, count: 5, width: 3 * width }
    const { values } = multiplier.attend(thrice, heads)
    for (const [at, value] of counted.values.entries()) {
      expect(value).toBeCloseTo(values[2 * width + at]!, 4)
    }
  })

  it.each([1, 5, 80])('lets each of %i rows attend to all', (count) => {
    const [heads, size] = [2, 16]
    const width = heads * size
    const projected = { values: random(count * 3 * width), count, width: 3 * width }
    const { values } = new Multiplier().attend(projected, heads)
    const part = (row: number, kind: number, head: number) => {
      const from = row * 3 * width + kind * width + head * size
      return projected.values.subarray(from, from + size)
    }
    for (let row = 0; row < count; row++) {
      for (let head = 0; head < heads; head++) {
        const query = part(row, 0, head)
        const powers = Array.from({ length: count }, (_, other) => {
          const key = part(other, 1, head)
          return Math.exp(query.reduce((sum, value, at) => sum + value * key[at]!, 0) / 4)
        })
        const all = powers.reduce((sum, power) => sum + power)
        for (let at = 0; at < size; at++) {
          const expected = powers.reduce(
            (sum, power, other) => sum + (power / all) * part(other, 2, head)[at]!,
            0,
          )
          expect(values[row * width + head * size + at]).toBeCloseTo(expected, 4)
        }
      }
    }
  })
})

it('product.ts has the compiled form of this product.wat', () => {
  const source = readFileSync(new URL('product.wat', import.meta.url), 'utf8')
  const hash = createHash('sha256').update(source.replaceAll('\r\n', '\n')).digest('hex')
  // After a change, compile product.wat again as product.ts says.
  expect(hash).toBe('b935d23001783dd58f014b4b0abc6825824a1eef3031ca81b65377703ef972cd')
})
