import { expect, it } from 'vitest'
import { createSilenceTrimmer } from './silence.ts'

/** Trims samples that arrive in pieces of `pieceSamples`. */
function trim(samples: Float32Array, pieceSamples = samples.length) {
  const trimmer = createSilenceTrimmer(16_000)
  const trimmed: number[] = []
  for (let start = 0; start < samples.length; start += pieceSamples) {
    trimmed.push(...trimmer.push(samples.subarray(start, start + pieceSamples)))
  }
  trimmed.push(...trimmer.end())
  return { trimmed: new Float32Array(trimmed), cutSeconds: trimmer.cutSeconds }
}

const speech = new Float32Array(8000)
speech.fill(0.5, 3200, 4000)
speech.fill(-0.5, 4400, 4800)

it('trims silence at both ends and keeps the pauses between', () => {
  const { trimmed, cutSeconds } = trim(speech)
  expect(trimmed).toEqual(speech.subarray(3200 - 480, 4800 + 800))
  expect(cutSeconds).toBe((3200 - 480) / 16_000)
})

it.each([1, 100, 333, 4001])(
  'trims the same when the sound arrives in pieces of %i samples',
  (pieceSamples) => {
    expect(trim(speech, pieceSamples)).toEqual(trim(speech))
  },
)

it('keeps sound that reaches both ends', () => {
  const samples = new Float32Array(100).fill(-0.2)
  expect(trim(samples).trimmed).toEqual(samples)
})

it('returns no samples for silence', () => {
  expect(trim(new Float32Array(1000)).trimmed.length).toBe(0)
})

it('takes linear time for long silence', () => {
  const trimmer = createSilenceTrimmer(16_000)
  trimmer.push(new Float32Array(100).fill(0.5))
  const minutes = 3
  for (let count = 0; count < minutes * 600; count++) trimmer.push(new Float32Array(1600))
  expect(trimmer.push(new Float32Array(100).fill(0.5))).toHaveLength(minutes * 960_000 + 100)
}, 10_000)
