import { expect, it } from 'vitest'
import { readNumber } from './decode.ts'
import { numberSchema } from './object-schema.ts'

it.each([
  ['24000', 24_000],
  ['-1.5', -1.5],
  ['1e3', 1000],
  [7, 7],
])('the number in %j is read', (value, expected) => {
  expect(numberSchema.parse(value)).toBe(expected)
})

it.each(['', ' ', '24 kHz', '0x10', '1,5', 'NaN', 'Infinity', '1e999', null, true, [1]])(
  '%j is not a number',
  (value) => {
    expect(readNumber(value)).toBe(value)
    expect(numberSchema.safeParse(value).success).toBe(false)
  },
)
