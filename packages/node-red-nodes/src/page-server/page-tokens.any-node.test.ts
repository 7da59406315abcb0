import { expect, it } from 'vitest'
import { createTokens } from './page-tokens.ts'

it('a token is valid once, for 30 seconds', () => {
  let now = 0
  const tokens = createTokens(() => now)
  const [first, second, third] = [tokens.issue(), tokens.issue(), tokens.issue()]
  expect(tokens.redeem(first)).toBe(true)
  expect(tokens.redeem(first)).toBe(false)
  now = 29_999
  expect(tokens.redeem(second)).toBe(true)
  now = 30_000
  expect(tokens.redeem(third)).toBe(false)
  expect(tokens.redeem('')).toBe(false)
})

it('the oldest of more than a thousand unused tokens is no longer valid', () => {
  const tokens = createTokens()
  const issued = Array.from({ length: 1001 }, () => tokens.issue())
  expect(new Set(issued).size).toBe(1001)
  expect(issued.map((token) => tokens.redeem(token)).filter((isValid) => !isValid)).toHaveLength(1)
  expect(tokens.redeem(issued[0]!)).toBe(false)
})
