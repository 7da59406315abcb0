import { integratedLoudness, truePeak } from '@parlando/test-support/audio/measure-loudness'
import { describe, expect, it } from 'vitest'
import { createPeakLimiter } from './peak-limiter.ts'
import { joinSamples } from './signal.ts'

/** A hum with bursts that are too loud, most of them between the samples. */
const loud = Float32Array.from({ length: 20_000 }, (_, index) => {
  const isBurst = index % 4000 > 3900
  return (isBurst ? 1.6 : 0.3) * Math.sin((Math.PI * index) / 2 + Math.PI / 4)
})

function limit(samples: Float32Array, pieceSamples = samples.length): Float32Array {
  const limiter = createPeakLimiter()
  const limited: Float32Array[] = []
  for (let start = 0; start < samples.length; start += pieceSamples) {
    limited.push(limiter.push(samples.subarray(start, start + pieceSamples)))
  }
  return joinSamples([...limited, limiter.end()])
}

describe('a limiter', () => {
  it('keeps the true peak below -1 dBTP and all other samples unchanged', () => {
    const limited = limit(loud)
    expect(limited).toHaveLength(loud.length)
    expect(truePeak(loud)).toBeGreaterThan(3)
    expect(truePeak(limited)).toBeLessThan(-1)
    expect(limited.slice(200, 3800)).toEqual(loud.slice(200, 3800))
  })

  it.each([1, 50, 999])('returns the same samples for pieces of %i samples', (pieceSamples) => {
    expect(limit(loud.slice(0, 9000), pieceSamples)).toEqual(limit(loud.slice(0, 9000)))
  })

  it('changes its gain without a step', () => {
    const constant = Float32Array.from({ length: 2000 }, (_, index) => (index === 1000 ? 1.7 : 0.5))
    const limited = limit(constant)
    const steps = limited.map((sample, index) => Math.abs(sample - (limited[index - 1] ?? sample)))
    expect(Math.max(...steps.slice(100, 998), ...steps.slice(1003, 1900))).toBeLessThan(0.01)
  })
})

it('the loudness meter measures a full-scale sine as the standard requires', () => {
  const sine = Float32Array.from({ length: 96_000 }, (_, index) => {
    return Math.sin((2 * Math.PI * 997 * index) / 48_000)
  })
  expect(integratedLoudness(sine)).toBeCloseTo(-3.01, 1)
})
