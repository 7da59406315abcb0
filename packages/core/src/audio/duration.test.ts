import { describe, expect, it } from 'vitest'
import { createDurationMeter } from './duration.ts'
import { writeWavHeader } from './wav.ts'

/** A frame of MPEG 1 layer III with 128 kbit/s at 48 kHz: 384 bytes, 24 ms. */
function mp3Frame(): Buffer {
  const frame = Buffer.alloc(384)
  frame.writeUInt32BE(0xfffb9400)
  return frame
}

/** The header of a WAV file at 8 kHz. */
function wavHeader({ channels = 1, bitsPerSample = 16 }): Buffer {
  const header = Buffer.from(writeWavHeader({ sampleRateHertz: 8000 }))
  header.writeUInt16LE(channels, 22)
  header.writeUInt16LE(bitsPerSample, 34)
  return header
}

describe('createDurationMeter', () => {
  it('counts the bytes of PCM', () => {
    const meter = createDurationMeter('PCM', 24000)
    meter.push(Buffer.alloc(24000))
    meter.push(Buffer.alloc(24000))
    expect(meter.seconds).toBe(1)
  })

  it('skips the header of a WAV file and uses its rate', () => {
    const meter = createDurationMeter('WAV', 24000)
    meter.push(Buffer.concat([writeWavHeader({ sampleRateHertz: 8000 }), Buffer.alloc(16000)]))
    expect(meter.seconds).toBe(1)
  })

  it('reads the number of channels and the bits per sample from the header of a WAV file', () => {
    for (const [channels, bitsPerSample] of [
      [2, 16],
      [1, 8],
      [2, 24],
    ] as const) {
      const bytesPerSecond = (8000 * channels * bitsPerSample) / 8
      const meter = createDurationMeter('WAV', 24000)
      meter.push(wavHeader({ channels, bitsPerSample }))
      meter.push(Buffer.alloc(bytesPerSecond))
      meter.push(Buffer.alloc(bytesPerSecond))
      expect(meter.seconds).toBe(2)
    }
  })

  it('assumes 16 bits and one channel if the header of a WAV file states no plausible number', () => {
    const meter = createDurationMeter('WAV', 24000)
    meter.push(wavHeader({ channels: 0, bitsPerSample: 0 }))
    meter.push(Buffer.alloc(16000))
    expect(meter.seconds).toBe(1)
  })

  it('counts one byte per sample of A-law and mu-law', () => {
    for (const encoding of ['ALAW', 'MULAW'] as const) {
      const meter = createDurationMeter(encoding, 8000)
      meter.push(Buffer.alloc(4000))
      expect(meter.seconds).toBe(0.5)
    }
  })

  it('counts MP3 frames, split anywhere, and skips other data', () => {
    const file = Buffer.concat([Buffer.from('TAG of some kind'), mp3Frame(), mp3Frame()])
    for (let cut = 0; cut <= file.length; cut++) {
      const meter = createDurationMeter('MP3', 48000)
      meter.push(file.subarray(0, cut))
      meter.push(file.subarray(cut))
      expect(meter.seconds).toBeCloseTo(0.048)
    }
  })

  it('reads the shorter frames of the lower rates', () => {
    // MPEG 2 layer III, 64 kbit/s at 24 kHz: 192 bytes, 24 ms.
    const frame = Buffer.alloc(192)
    frame.writeUInt32BE(0xfff38400)
    const meter = createDurationMeter('MP3', 24000)
    meter.push(Buffer.concat([frame, frame, frame]))
    expect(meter.seconds).toBeCloseTo(0.072)
  })
})
