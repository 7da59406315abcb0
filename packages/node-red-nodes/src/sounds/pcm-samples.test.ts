import { expect, it } from 'vitest'
import { pcmOf, samplesOf } from './pcm-samples.ts'

it('every 16-bit sample survives as a number from -1 to 1, also at an odd address', () => {
  const bytes = Buffer.alloc(1 + 2 * 65_536)
  for (let at = 0; at < 65_536; at++) bytes.writeInt16LE(at - 32_768, 1 + 2 * at)
  const pcm = bytes.subarray(1)
  const samples = samplesOf(pcm)
  expect([samples[0], samples[32_768], samples.length]).toEqual([-1, 0, 65_536])
  expect(pcmOf(samples).equals(pcm)).toBe(true)
})

it('samples beyond full scale are clipped', () => {
  const pcm = pcmOf(Float32Array.of(-1.5, 1, 1.5))
  expect([0, 2, 4].map((at) => pcm.readInt16LE(at))).toEqual([-32_768, 32_767, 32_767])
})
