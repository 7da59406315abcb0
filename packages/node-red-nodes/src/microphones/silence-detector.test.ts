import { tone } from '@parlando/test-support/audio/computed-sounds'
import { describe, expect, it } from 'vitest'
import { bytesPerSecond, sampleRateHertz } from './microphone-recording.ts'
import { createSilenceDetector } from './silence-detector.ts'

const sound = (seconds: number) => Buffer.from(tone({ hertz: 300, seconds, sampleRateHertz }))
const silence = (seconds: number) => Buffer.alloc(seconds * bytesPerSecond)

describe('a recording that ends on silence', () => {
  it.each([2, 640, 1000, 4096])(
    'ends 0.8 s after the last sound, in pieces of %i bytes',
    (size) => {
      const isOver = createSilenceDetector()
      const recorded = Buffer.concat([silence(0.5), sound(1), silence(3)])
      let at = 0
      while (at < recorded.length && !isOver(recorded.subarray(at, at + size))) at += size
      expect(at / bytesPerSecond).toBeGreaterThan(2.2)
      expect(at / bytesPerSecond).toBeLessThan(2.8)
    },
  )

  it('ends after 8 s in which nobody speaks', () => {
    const isOver = createSilenceDetector()
    expect(isOver(silence(7.9))).toBe(false)
    expect(isOver(silence(0.2))).toBe(true)
  })
})
