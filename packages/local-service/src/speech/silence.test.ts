import { expect, it } from 'vitest'
import { trimSilence } from './silence.ts'

it('cuts silence at both ends down to a little, and keeps the sound', () => {
  const sound = new Float32Array(1600).fill(0.5)
  const samples = new Float32Array(8000)
  samples.set(sound, 3200)
  const trimmed = trimSilence(samples, 16_000)
  expect(trimmed.length).toBe(480 + 1600 + 800)
  expect(trimmed.subarray(480, 2080)).toEqual(sound)
})

it('keeps sound that reaches the ends', () => {
  const samples = new Float32Array(100).fill(-0.2)
  expect(trimSilence(samples, 16_000)).toEqual(samples)
})

it('makes nothing of silence', () => {
  expect(trimSilence(new Float32Array(1000), 16_000).length).toBe(0)
})
