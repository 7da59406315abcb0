import { describe, expect, it } from 'vitest'
import { fromInt16, fromPcmBytes, toInt16, toPcmBytes } from './pcm.ts'

const samples = Float32Array.of(0, 0.5, -0.5, 1, -1)

describe('16-bit PCM', () => {
  it('is clipped where samples are louder than full scale', () => {
    expect(toInt16(Float32Array.of(1.5, -1.5))).toEqual(Int16Array.of(32767, -32768))
  })

  it('is little-endian', () => {
    expect([...toPcmBytes(Float32Array.of(1))]).toEqual([0xff, 0x7f])
  })

  it('keeps samples to within two steps of 16 bits', () => {
    const read = fromPcmBytes(toPcmBytes(samples))
    for (const [index, sample] of samples.entries()) {
      expect(Math.abs(read[index]! - sample)).toBeLessThan(2 / 32768)
    }
    expect(fromInt16(toInt16(samples))).toEqual(read)
  })

  it('is read from any offset, and an odd last byte is ignored', () => {
    const bytes = Uint8Array.of(9, 0x00, 0x40, 9)
    expect(fromPcmBytes(bytes.subarray(1))).toEqual(Float32Array.of(0.5))
  })
})
