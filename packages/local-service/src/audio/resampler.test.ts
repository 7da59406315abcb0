import { describe, expect, it } from 'vitest'
import { createResampler } from './resampler.ts'

const inputRateHertz = 16_000

function tone(hertz: number, samples: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / inputRateHertz),
  )
}

async function resample(pieces: Float32Array[], outputRateHertz: number): Promise<number[]> {
  const resampler = await createResampler({ inputRateHertz, outputRateHertz })
  const resampled = [...pieces.flatMap((piece) => [...resampler.push(piece)]), ...resampler.end()]
  resampler.close()
  return resampled
}

describe('createResampler', () => {
  it.each([8000, 16000, 22050, 24000, 32000, 44100, 48000])(
    'keeps the pitch, length and level of a tone at %i Hz',
    async (outputRateHertz) => {
      const resampled = await resample([tone(440, 16_000)], outputRateHertz)
      expect(resampled.length / outputRateHertz).toBeCloseTo(1, 2)
      const crossings = resampled.filter(
        (sample, index) => sample > 0 && resampled[index - 1]! <= 0,
      ).length
      expect(crossings).toBeGreaterThan(436)
      expect(crossings).toBeLessThan(444)
      const power = resampled.reduce((sum, sample) => sum + sample * sample, 0) / resampled.length
      expect(power).toBeCloseTo(0.5, 1)
    },
  )

  it('returns the same samples for any split of the input', async () => {
    const input = tone(1000, 4000)
    const whole = await resample([input], 24_000)
    const cuts = [1, 2, 799, 800, 801, 3999]
    for (const cut of cuts) {
      expect(await resample([input.subarray(0, cut), input.subarray(cut)], 24_000)).toEqual(whole)
    }
  })

  it('frees its memory only once, so that later resamplers do not share memory', async () => {
    const rates = { inputRateHertz, outputRateHertz: 24_000 }
    const resampler = await createResampler(rates)
    resampler.close()
    const next = await createResampler(rates)
    resampler.close()
    const other = await createResampler(rates)
    const input = tone(440, 1600)
    const silence = new Float32Array(1600)
    const resampled: number[] = []
    for (let count = 0; count < 2; count++) {
      resampled.push(...next.push(input))
      expect(other.push(silence).every((sample) => sample === 0)).toBe(true)
    }
    resampled.push(...next.end())
    next.close()
    other.close()
    expect(resampled).toEqual(await resample([input, input], 24_000))
  })
})
