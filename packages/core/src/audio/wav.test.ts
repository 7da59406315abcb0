import { describe, expect, it } from 'vitest'
import { correctWavLength, readWavHeader, unknownDataBytes, writeWavHeader } from './wav.ts'

describe('WAV headers', () => {
  it('reads the header that it wrote', () => {
    expect(readWavHeader(writeWavHeader({ sampleRateHertz: 22050, dataBytes: 1000 }))).toEqual({
      sampleRateHertz: 22050,
      channels: 1,
      bitsPerSample: 16,
      dataOffset: 44,
      dataBytes: 1000,
    })
  })

  it('writes the value for "unknown" if no length is given', () => {
    expect(readWavHeader(writeWavHeader({ sampleRateHertz: 8000 }))?.dataBytes).toBe(
      unknownDataBytes,
    )
  })

  it('finds the data after unknown chunks of even and odd length', () => {
    const plain = Buffer.from(writeWavHeader({ sampleRateHertz: 16000, dataBytes: 2 }))
    const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1')
    const file = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36), Buffer.alloc(2)])
    expect(readWavHeader(file)).toMatchObject({ dataOffset: 56, sampleRateHertz: 16000 })
  })

  it('returns nothing for other files and incomplete headers', () => {
    const header = writeWavHeader({ sampleRateHertz: 16000 })
    for (let length = 0; length < header.length; length++) {
      expect(readWavHeader(header.subarray(0, length))).toBeUndefined()
    }
    expect(readWavHeader(Buffer.from('ID3 is something else altogether, long enough'))).toBe(
      undefined,
    )
  })

  it('corrects the length of a file that was made as a stream', () => {
    const file = Buffer.concat([writeWavHeader({ sampleRateHertz: 16000 }), Buffer.alloc(320)])
    const corrected = correctWavLength(file)
    expect(readWavHeader(corrected)?.dataBytes).toBe(320)
    expect(Buffer.from(corrected).readUInt32LE(4)).toBe(356)
  })

  it('leaves other files unchanged', () => {
    const mp3 = Buffer.from([0xff, 0xfb, 0x90, 0x00])
    expect(correctWavLength(mp3)).toBe(mp3)
  })
})
