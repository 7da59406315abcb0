import { expect, it } from 'vitest'
import { createAllowance } from './sound-allowance.ts'

it('an allowance has a burst, and grows again at its rate', () => {
  let now = 0
  const isAllowed = createAllowance({ perSecond: 100, burst: 500 }, () => now)
  expect(isAllowed(500)).toBe(true)
  expect(isAllowed(1)).toBe(false)
  now = 1000
  expect(isAllowed(99)).toBe(true)
  expect(isAllowed(1)).toBe(false)
  now = 3_600_000
  expect(isAllowed(500)).toBe(true)
  expect(isAllowed(1)).toBe(false)
})
