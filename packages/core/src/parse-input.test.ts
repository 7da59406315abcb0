import { describe, expect, it } from 'vitest'
import { parseInput } from './parse-input.ts'
import { chatRequestSchema } from './wire/index.ts'

describe('input', () => {
  it.each([
    ['of two billion empty places', new Array(2 ** 31)],
    ['in another one', [[new Array(100_001)]]],
    ['of bytes', [{ role: 'system', content: [Buffer.alloc(5_000_000)] }]],
  ])('with a list %s is rejected at once', (_what, messages) => {
    const parse = () => parseInput(chatRequestSchema, { model: 'any', messages }, 'Chat request')
    expect(parse).toThrow(/^Chat request not valid: a list has \d+ entries, at most 100000/)
  })

  it('with an object of many members is rejected at once', () => {
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`a${index}`, 0]))
    const request = { model: 'any', messages: [{ role: 'user', content: 'Hi' }], tools: [wide] }
    const parse = () => parseInput(chatRequestSchema, request, 'Chat request')
    expect(parse).toThrow(/^Chat request not valid: an object has 200000 members, at most 10000/)
  })
})
