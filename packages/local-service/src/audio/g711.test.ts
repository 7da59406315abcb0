import { describe, expect, it } from 'vitest'
import { aLawByte, aLawSample, muLawByte, muLawSample } from './g711.ts'

/** Decodes a byte according to the tables of G.711. */
function decodeMuLaw(byte: number): number {
  const bits = ~byte & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84
  return bits & 0x80 ? -magnitude : magnitude
}

function decodeALaw(byte: number): number {
  const bits = byte ^ 0x55
  const segment = (bits >> 4) & 7
  const place = ((bits & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? place : (place + 0x100) << (segment - 1)
  return bits & 0x80 ? magnitude : -magnitude
}

const allBytes = Array.from({ length: 256 }, (_, byte) => byte)

describe('µ-law', () => {
  it.each([
    [0, 0xff],
    [-1, 0x7f],
    [32767, 0x80],
    [-32768, 0x00],
    [1000, 0xce],
    [-1000, 0x4e],
  ])('writes %i as %i', (sample, byte) => {
    expect(muLawByte(sample)).toBe(byte)
  })

  it('reads every byte as the tables do', () => {
    for (const byte of allBytes) expect(muLawSample(byte) + 0).toBe(decodeMuLaw(byte) + 0)
  })

  it('restores every byte that encodes a distinct value', () => {
    const minusZero = 0x7f
    for (const byte of allBytes) {
      if (byte !== minusZero) expect(muLawByte(decodeMuLaw(byte))).toBe(byte)
    }
  })

  it('has an error of at most half a step', () => {
    for (let sample = -32635; sample <= 32635; sample++) {
      const halfStep = Math.max(4, 2 ** (Math.floor(Math.log2(Math.abs(sample) + 132)) - 5))
      expect(Math.abs(decodeMuLaw(muLawByte(sample)) - sample)).toBeLessThanOrEqual(halfStep)
    }
  })
})

describe('A-law', () => {
  it.each([
    [0, 0xd5],
    [-1, 0x55],
    [32767, 0xaa],
    [-32768, 0x2a],
    [1000, 0xfa],
    [-1000, 0x7a],
  ])('writes %i as %i', (sample, byte) => {
    expect(aLawByte(sample)).toBe(byte)
  })

  it('reads every byte as the tables do', () => {
    for (const byte of allBytes) expect(aLawSample(byte)).toBe(decodeALaw(byte))
  })

  it('restores every byte', () => {
    for (const byte of allBytes) expect(aLawByte(decodeALaw(byte))).toBe(byte)
  })
})
