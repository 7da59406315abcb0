import { describe, expect, it } from 'vitest'
import { wholeSamples } from './whole-samples.ts'

const sound = Uint8Array.from({ length: 24 }, (_, index) => index + 1)

describe('wholeSamples', () => {
  it('returns whole samples of pieces that are cut at any byte', () => {
    for (const sampleBytes of [1, 2, 4, 6]) {
      for (let size = 1; size <= sound.length; size++) {
        const whole = wholeSamples(sampleBytes)
        const pieces: Uint8Array[] = []
        for (let at = 0; at < sound.length; at += size) {
          pieces.push(whole(sound.subarray(at, at + size)))
        }
        expect(pieces.every(({ length }) => length % sampleBytes === 0)).toBe(true)
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(sound))
      }
    }
  })

  it('keeps the bytes of a split sample when the caller reuses its piece', () => {
    const whole = wholeSamples()
    const piece = Buffer.from([1, 2, 3])
    whole(piece)
    piece.fill(0)
    expect([...whole(Buffer.from([4]))]).toEqual([3, 4])
  })
})
