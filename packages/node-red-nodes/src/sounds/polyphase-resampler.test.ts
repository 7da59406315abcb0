import { describe, expect, it } from 'vitest'
import { createResampler } from './polyphase-resampler.ts'

const ratePairs = [
  [48_000, 16_000],
  [44_100, 16_000],
  [44_100, 24_000],
  [24_000, 48_000],
  [16_000, 24_000],
] as const
/** The filter needs this much sound on both sides of a sample. */
const edgeSeconds = 0.005

function tone(hertz: number, rateHertz: number, seconds: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rateHertz) }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / rateHertz),
  )
}

function resample(pieces: Float32Array[], inputRateHertz: number, outputRateHertz: number) {
  const resampler = createResampler(inputRateHertz, outputRateHertz)
  return Float32Array.from([
    ...pieces.flatMap((piece) => [...resampler.push(piece)]),
    ...resampler.end(),
  ])
}

function maxDifference(one: Float32Array, other: Float32Array): number {
  return one.reduce((max, sample, index) => Math.max(max, Math.abs(sample - other[index]!)), 0)
}

describe('createResampler', () => {
  it.each(ratePairs)(
    'makes of a tone at %i Hz the same tone, without delay, at %i Hz',
    (from, to) => {
      const expected = tone(1000, to, 0.1)
      const resampled = resample([tone(1000, from, 0.1)], from, to)
      expect(resampled).toHaveLength(expected.length)
      const edge = Math.ceil(edgeSeconds * to)
      const inner = (samples: Float32Array) => samples.subarray(edge, -edge)
      expect(maxDifference(inner(resampled), inner(expected))).toBeLessThan(0.01)
    },
  )

  it('removes a tone that the lower rate cannot hold', () => {
    const resampled = resample([tone(10_000, 48_000, 0.1)], 48_000, 16_000)
    const edge = Math.ceil(edgeSeconds * 16_000)
    const rest = resampled.subarray(edge, -edge)
    expect(maxDifference(rest, new Float32Array(rest.length))).toBeLessThan(0.01)
  })

  it.each(ratePairs)(
    'returns the same samples for any split of the input, from %i Hz to %i Hz',
    (from, to) => {
      const input = tone(1000, from, 0.02)
      const whole = resample([input], from, to)
      for (let cut = 0; cut <= input.length; cut += 13) {
        expect(resample([input.subarray(0, cut), input.subarray(cut)], from, to)).toEqual(whole)
      }
    },
  )

  it('passes on the samples themselves if the rate stays the same', () => {
    const input = tone(1000, 16_000, 0.01)
    const resampler = createResampler(16_000, 16_000)
    expect(resampler.push(input)).toBe(input)
    expect(resampler.end()).toHaveLength(0)
  })
})
