import { encodings } from '@parlando/core/audio'
import { type AudioEncoding, audioEncodings } from '@parlando/core/wire'
import { clearOggSerials } from '@parlando/test-support/audio/encode'
import decode from 'audio-decode'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEncoderPool } from '../audio/encoding/encoder-pool.ts'
import { fromPcmBytes } from '../audio/pcm.ts'
import type { PhraseSound } from '../engines/engine.ts'
import { encodeUtterance } from './synthesize.ts'

const encoders = createEncoderPool()
const flac = { audioEncoding: 'FLAC', sampleRateHertz: 16_000, bitRate: 128_000 } as const

/** Collects the unhandled rejections of this test. */
function collectUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

describe('encodeUtterance', () => {
  it('fails without an unhandled rejection when the voice fails before the encoder is ready', async () => {
    const unhandled = collectUnhandled()
    // biome-ignore lint/correctness/useYield: it fails before the first sound.
    async function* failing(): AsyncGenerator<PhraseSound, void> {
      throw new Error('the queue is full')
    }
    const chunks = encodeUtterance(failing(), { inputRateHertz: 16_000, layout: flac, encoders })
    await expect(chunks.next()).rejects.toThrow('the queue is full')
    expect(unhandled).toEqual([])
  })

  it('stops the voice when no encoder can be opened', async () => {
    let hasEnded = false
    async function* speaking(): AsyncGenerator<PhraseSound, void> {
      try {
        for (;;) yield { samples: new Float32Array(1600) }
      } finally {
        hasEnded = true
      }
    }
    const chunks = encodeUtterance(speaking(), {
      inputRateHertz: 16_000,
      layout: { ...flac, sampleRateHertz: 700_000 },
      encoders,
    })
    await expect(chunks.next()).rejects.toThrow('No FLAC encoder')
    expect(hasEnded).toBe(true)
  })

  it('makes chunks of 20 ms to 250 ms from any sounds, and loses no sample', async () => {
    async function* speaking(): AsyncGenerator<PhraseSound, void> {
      for (const length of [1, 700, 4001, 2, 0, 90, 16_000, 5]) {
        yield { samples: new Float32Array(length) }
      }
    }
    const layout = { audioEncoding: 'PCM', sampleRateHertz: 16_000, bitRate: 128_000 } as const
    const chunks: number[] = []
    const options = { inputRateHertz: 16_000, layout, encoders }
    for await (const { audio } of encodeUtterance(speaking(), options)) {
      chunks.push(audio.length / 2)
    }
    expect(chunks.reduce((sum, samples) => sum + samples)).toBe(20_799)
    expect(chunks.slice(0, -1).filter((samples) => samples < 320 || samples > 4000)).toEqual([])
    expect(chunks[0]).toBe(701)
  })
})

const everyLayout = audioEncodings.flatMap((audioEncoding) =>
  encodings[audioEncoding].sampleRatesHertz.map((rate) => [audioEncoding, rate] as const),
)
const ratesOf = (audioEncoding: AudioEncoding) => encodings[audioEncoding].sampleRatesHertz

/** One second of a hum in two pieces. */
async function* hum(): AsyncGenerator<PhraseSound, void> {
  const samples = Float32Array.from({ length: 16_000 }, (_, index) => {
    return 0.3 * Math.sin(index / 20) + 0.2 * Math.sin(index / 9)
  })
  yield { samples: samples.subarray(0, 5000) }
  yield { samples: samples.subarray(5000) }
}

async function encodeHum(audioEncoding: AudioEncoding, sampleRateHertz: number): Promise<Buffer> {
  const layout = { audioEncoding, sampleRateHertz, bitRate: 128_000 }
  const chunks: Uint8Array[] = []
  for await (const { audio } of encodeUtterance(hum(), {
    inputRateHertz: 16_000,
    layout,
    encoders,
  })) {
    chunks.push(audio)
  }
  return Buffer.concat(chunks)
}

const loudness = (samples: ArrayLike<number>) =>
  Math.sqrt(
    Array.from(samples, (sample) => sample ** 2).reduce((sum, power) => sum + power, 0) /
      samples.length,
  )

describe('an encoded utterance', () => {
  it.each(everyLayout)(
    'as %s at %i Hz has the same bytes, also concurrently',
    async (encoding, rate) => {
      const first = await encodeHum(encoding, rate)
      expect(first.length).toBeGreaterThan(1000)
      const concurrent = await Promise.all([encodeHum(encoding, rate), encodeHum(encoding, rate)])
      const expected = clearOggSerials(first)
      expect(concurrent.map((bytes) => clearOggSerials(bytes).equals(expected))).toEqual([
        true,
        true,
      ])
    },
  )

  it.each(ratesOf('FLAC'))(
    'as FLAC at %i Hz decodes to exactly the samples of PCM',
    async (rate) => {
      const { channelData } = await decode(await encodeHum('FLAC', rate))
      const pcm = await encodeHum('PCM', rate)
      const samples = Array.from(channelData[0]!, (sample) => Math.round(sample * 32768))
      expect(samples).toEqual(
        Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2)),
      )
    },
  )

  it.each(ratesOf('OGG_OPUS'))('as OGG_OPUS at %i Hz keeps length and loudness', async (rate) => {
    const { channelData, sampleRate } = await decode(await encodeHum('OGG_OPUS', rate))
    const pcm = fromPcmBytes(await encodeHum('PCM', rate))
    const samples = channelData[0]!
    expect(Math.abs(samples.length / sampleRate - pcm.length / rate)).toBeLessThan(0.001)
    expect(loudness(samples) / loudness(pcm)).toBeGreaterThan(0.9)
    expect(loudness(samples) / loudness(pcm)).toBeLessThan(1.1)
  })
})
