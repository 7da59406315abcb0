import { describe, expect, it } from 'vitest'
import { parseInput } from './parse-input.ts'
import { chatRequestSchema } from './wire/index.ts'

describe('input', () => {
  it.each([
    ['of two billion empty places', new Array(2 ** 31)],
    ['in another one', [[new Array(100_001)]]],
  ])('with a list %s is rejected at once', (_what, messages) => {
    const parse = () => parseInput(chatRequestSchema, { model: 'any', messages }, 'Chat request')
    expect(parse).toThrow(/^Chat request not valid: a list has \d+ entries, at most 100000/)
  })
})
