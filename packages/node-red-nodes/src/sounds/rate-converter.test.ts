import { tone } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { createRateConverter } from './rate-converter.ts'

const sound = tone({ hertz: 440, seconds: 0.1, sampleRateHertz: 16_000 })

it('a sound keeps its duration at another rate, and pieces that split samples change nothing', () => {
  const atOnce = createRateConverter(16_000, 24_000)(sound)
  const heldBack = 2400 - atOnce.length / 2
  expect([heldBack >= 0, heldBack < 72]).toEqual([true, true])
  const convert = createRateConverter(16_000, 24_000)
  const cuts = [0, 1, 640, 1281, sound.length]
  const pieces = cuts.slice(1).map((end, index) => convert(sound.subarray(cuts[index], end)))
  expect(Buffer.concat(pieces).equals(atOnce)).toBe(true)
})

it('a sound that has the rate already stays as it is', () => {
  expect(createRateConverter(16_000, 16_000)(sound).equals(sound)).toBe(true)
})
