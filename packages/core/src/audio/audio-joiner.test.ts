import { describe, expect, it } from 'vitest'
import type { AudioEncoding } from '../wire/audio-encodings.ts'
import { createAudioJoiner } from './audio-joiner.ts'
import { readWavHeader, writeWavHeader } from './wav.ts'

const samples = Buffer.from(Array.from({ length: 64 }, (_, index) => index + 1))

function join(encoding: AudioEncoding, chunks: Uint8Array[], rateHertz = 16000) {
  const joiner = createAudioJoiner(encoding, rateHertz)
  return { bytes: Buffer.concat(chunks.map((chunk) => joiner.push(chunk))), joiner }
}

function withHeader(bytes: Uint8Array, sampleRateHertz = 16000): Buffer {
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes: bytes.length }), bytes])
}

describe('createAudioJoiner', () => {
  it('keeps only the first header of a LINEAR16 stream with a header in every chunk', () => {
    const chunks = [withHeader(samples.subarray(0, 20)), withHeader(samples.subarray(20))]
    const { bytes } = join('LINEAR16', chunks)
    expect(readWavHeader(bytes)).toMatchObject({ dataOffset: 44, sampleRateHertz: 16000 })
    expect(bytes.subarray(44)).toEqual(samples)
  })

  it('adds a header to a WAV stream without one', () => {
    const { bytes } = join('WAV', [samples])
    expect(bytes.subarray(44)).toEqual(samples)
  })

  it('removes headers from PCM', () => {
    const { bytes } = join('PCM', [withHeader(samples.subarray(0, 30)), samples.subarray(30)])
    expect(bytes).toEqual(samples)
  })

  it('joins samples that are split between chunks, at any position', () => {
    for (const encoding of ['PCM', 'WAV', 'LINEAR16'] as const) {
      for (let cut = 0; cut <= samples.length; cut++) {
        const { bytes } = join(encoding, [samples.subarray(0, cut), samples.subarray(cut)])
        expect(bytes.subarray(encoding === 'PCM' ? 0 : 44)).toEqual(samples)
      }
    }
  })

  it('removes a header even while half a sample is waiting', () => {
    const [start, end] = [samples.subarray(0, 7), samples.subarray(7)]
    const { bytes } = join('LINEAR16', [withHeader(start), withHeader(end)])
    expect(bytes.subarray(44)).toEqual(samples)
  })

  it('returns only whole samples', () => {
    const joiner = createAudioJoiner('PCM', 16000)
    expect(joiner.push(samples.subarray(0, 7)).length).toBe(6)
    expect(joiner.push(samples.subarray(7, 8)).length).toBe(2)
  })

  it('uses the rate of the header instead of the requested rate', () => {
    const { bytes, joiner } = join('WAV', [withHeader(samples, 48000)], 24000)
    expect(joiner.sampleRateHertz).toBe(48000)
    expect(readWavHeader(bytes)?.sampleRateHertz).toBe(48000)
  })

  it('keeps the number of channels of the first header', () => {
    const header = writeWavHeader({ sampleRateHertz: 16000, channels: 2 })
    const { bytes } = join('WAV', [Buffer.concat([header, samples]), samples])
    expect(readWavHeader(bytes)?.channels).toBe(2)
  })

  it.each([0, 65_535])('ignores an impossible number of channels: %i', (channels) => {
    const header = Buffer.from(writeWavHeader({ sampleRateHertz: 16000 }))
    header.writeUInt16LE(channels, 22)
    const { bytes } = join('WAV', [Buffer.concat([header, samples])])
    expect(readWavHeader(bytes)?.channels).toBe(1)
  })

  it.each([0, 2 ** 32 - 1])('ignores an impossible rate of %i Hz', (rateHertz) => {
    const header = Buffer.from(writeWavHeader({ sampleRateHertz: 16000, dataBytes: 64 }))
    header.writeUInt32LE(rateHertz, 24)
    const { bytes, joiner } = join('WAV', [Buffer.concat([header, samples])], 24000)
    expect(joiner.sampleRateHertz).toBe(24000)
    expect(bytes.subarray(44)).toEqual(samples)
  })

  it('passes other encodings through unchanged', () => {
    const chunk = Buffer.from('RIFF, but not a header')
    expect(createAudioJoiner('MP3', 24000).push(chunk)).toBe(chunk)
  })
})
