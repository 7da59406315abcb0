import {
  integratedLoudness as judge,
  meterRateHertz,
} from '@parlando/test-support/audio/measure-loudness'
import { describe, expect, it } from 'vitest'
import { integratedLoudness } from './integrated-loudness.ts'

function tone(sampleRateHertz: number, seconds: number, amplitude: number): Float32Array {
  return Float32Array.from(
    { length: sampleRateHertz * seconds },
    (_, index) => amplitude * Math.sin((2 * Math.PI * 997 * index) / sampleRateHertz),
  )
}

function joined(...parts: Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]))
}

describe('integratedLoudness', () => {
  // ITU-R BS.1770: a sine of 997 Hz at full scale in one channel.
  it.each([16_000, 22_050, 24_000, 48_000])('of a full tone at %i Hz is -3.01 LUFS', (rate) => {
    expect(integratedLoudness(tone(rate, 2, 1), rate)).toBeCloseTo(-3.01, 1)
  })

  it('leaves out silence, and parts that are 10 dB quieter than the rest', () => {
    const loud = tone(16_000, 3, 0.1)
    const quiet = joined(loud, new Float32Array(48_000), tone(16_000, 3, 0.01))
    const difference = integratedLoudness(quiet, 16_000) - integratedLoudness(loud, 16_000)
    expect(Math.abs(difference)).toBeLessThan(0.5)
  })

  it('is that of the meter of the tests', () => {
    const sound = joined(tone(meterRateHertz, 2, 0.3), tone(meterRateHertz, 1, 0.05))
    expect(integratedLoudness(sound, meterRateHertz)).toBeCloseTo(judge(sound), 1)
  })

  it('of silence and of less than a block is minus infinity', () => {
    expect(integratedLoudness(new Float32Array(16_000), 16_000)).toBe(Number.NEGATIVE_INFINITY)
    expect(integratedLoudness(tone(16_000, 0.3, 1), 16_000)).toBe(Number.NEGATIVE_INFINITY)
  })
})
