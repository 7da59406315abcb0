import { expect, it } from 'vitest'
import { levelDb, minLevelDb } from './level.ts'

it('the level of a full-scale square wave is 0 dB, and that of silence the lowest', () => {
  expect(levelDb(new Int16Array(320).fill(-0x8000))).toBe(0)
  expect(levelDb(new Int16Array(320).fill(0x4000))).toBeCloseTo(-6.02, 2)
  expect(levelDb(new Int16Array(320))).toBe(minLevelDb)
})
