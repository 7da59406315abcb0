import { expect, it } from 'vitest'
import { createMessageLimit, maxMessageBytes } from './message-limit.ts'

const bytes = (text: string) => Buffer.from(text)

it('limits the bytes and the values of everything that arrives', () => {
  const check = createMessageLimit()
  const values = bytes('[1,2]\n'.repeat(7500))
  check(values)
  expect(() => check(bytes('[1]'))).toThrow('more than 15000 values')
  const letters = createMessageLimit()
  letters(Buffer.alloc(maxMessageBytes, 'a'))
  expect(() => letters(bytes('a'))).toThrow('larger than 8388608 bytes')
})

it('limits each line by itself, wherever it is cut', () => {
  const check = createMessageLimit({ isPerLine: true })
  for (let line = 0; line < 3; line++) {
    check(bytes('[1,2]'.repeat(7000)))
    check(bytes('\n'))
  }
  check(bytes('[1,2]'.repeat(7000)))
  expect(() => check(bytes('[1,2]'.repeat(1000)))).toThrow('more than 15000 values')
})
