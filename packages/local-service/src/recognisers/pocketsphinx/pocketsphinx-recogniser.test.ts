import { expect, it } from 'vitest'
import { limitsOf } from './pocketsphinx-recogniser.ts'

const gibibyte = 1024 ** 3

it.each([
  [8, 2, 8 * gibibyte],
  [8, 16, 64 * gibibyte],
  [4, 1, 8 * gibibyte],
  [4, 4, gibibyte],
  [1, 4, gibibyte / 8],
])('%d utterances are recognised in parallel on %d cores with %d bytes', (slots, cores, bytes) => {
  expect(limitsOf(cores, bytes).slots).toBe(slots)
})

it('the process keeps idle decoders, in at most three quarters of a small memory', () => {
  const { slots, maxGrowthBytes } = limitsOf(4, gibibyte)
  const decoderBytes = 80 * 1024 ** 2
  expect(maxGrowthBytes).toBeGreaterThan((slots + 2) * decoderBytes)
  expect(maxGrowthBytes).toBeLessThanOrEqual(0.75 * gibibyte)
})
