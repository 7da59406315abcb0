import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { decodeSample as decodeSampleUntil } from './decode-sample.ts'

const { signal } = new AbortController()
const decodeSample = (file: Uint8Array) => decodeSampleUntil(file, signal)

interface WavFacts {
  formatTag?: number
  channels?: number
  blockBytes: number
  bitsPerSample: number
  samplesPerBlock?: number
}

/** A WAV file with 1024 bytes of audio and the given header, which may contradict the audio. */
function wavOf({ formatTag = 1, channels = 1, samplesPerBlock = 0, ...facts }: WavFacts): Buffer {
  const format = Buffer.alloc(20)
  format.writeUInt16LE(formatTag, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(8000, 4)
  format.writeUInt16LE(facts.blockBytes, 12)
  format.writeUInt16LE(facts.bitsPerSample, 14)
  format.writeUInt16LE(2, 16)
  format.writeUInt16LE(samplesPerBlock, 18)
  const chunks = [chunk('fmt ', format), chunk('data', Buffer.alloc(1024, 33))]
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]))
}

function chunk(id: string, body: Buffer): Buffer {
  const head = Buffer.from(`${id}....`)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** A tone of 200 Hz. */
async function mp3Of(sampleRateHertz: number, seconds: number): Promise<Buffer> {
  const encoder = await createEncoderPool().open({
    audioEncoding: 'MP3',
    sampleRateHertz,
    bitRate: 32_000,
  })
  const samples = Float32Array.from({ length: sampleRateHertz * seconds }, (_, index) => {
    return 0.5 * Math.sin((2 * Math.PI * 200 * index) / sampleRateHertz)
  })
  const file = Buffer.concat([encoder.push(samples), encoder.end()])
  encoder.close()
  return file
}

describe('a recording', () => {
  it.each<[string, WavFacts, number]>([
    ['8 bits', { blockBytes: 1, bitsPerSample: 8 }, 1024],
    ['16 bits in stereo', { channels: 2, blockBytes: 4, bitsPerSample: 16 }, 256],
    ['eight channels', { channels: 8, blockBytes: 16, bitsPerSample: 16 }, 64],
    [
      'four bits in blocks',
      { formatTag: 0x11, blockBytes: 256, bitsPerSample: 4, samplesPerBlock: 505 },
      2020,
    ],
  ])('is read as a WAV of %s', async (_what, facts, samples) => {
    expect((await decodeSample(wavOf(facts))).samples).toHaveLength(samples)
  })

  it('is marked as trimmed if it exceeds the limit, also when it decodes in small pieces', async () => {
    const { samples, sampleRateHertz, isTrimmed } = await decodeSample(await mp3Of(24_000, 16))
    expect([samples.length / sampleRateHertz, isTrimmed]).toEqual([15, true])
    expect((await decodeSample(await mp3Of(24_000, 15))).isTrimmed).toBe(false)
  })

  it.each<[string, WavFacts, RegExp]>([
    [
      'with tens of thousands of channels',
      { channels: 60_000, blockBytes: 60_000, bitsPerSample: 8 },
      /^has 60000 channels; record it with one/,
    ],
    [
      'with more channels than its blocks contain',
      { channels: 8, blockBytes: 1, bitsPerSample: 8 },
      /^has a header that contradicts its sound/,
    ],
    [
      'with more samples than its blocks contain',
      { formatTag: 0x11, blockBytes: 8, bitsPerSample: 4, samplesPerBlock: 65_535 },
      /^has a header that contradicts its sound/,
    ],
  ])('is rejected as a WAV %s', async (_what, facts, message) => {
    await expect(decodeSample(wavOf(facts))).rejects.toThrow(message)
  })

  it.each([0.3, 4])('is rejected if its sample rate changes after %f s', async (seconds) => {
    const file = Buffer.concat([await mp3Of(24_000, seconds), await mp3Of(48_000, 3)])
    await expect(decodeSample(file)).rejects.toThrow(
      'changes its sample rate from 24000 to 48000 Hz; save it again with one rate',
    )
  })
})
