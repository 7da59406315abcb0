import { type AudioEncoding, writeWavHeader } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encode } from '@parlando/test-support/audio/encode'
import {
  chunk,
  imaWav,
  oggOpus,
  silentFlac,
  wavWith,
} from '@parlando/test-support/audio/hostile-recordings'
import { memoryGrowth } from '@parlando/test-support/watch/memory-growth'
import { describe, expect, it } from 'vitest'
import { decodeSound as decodeSoundUntil } from './decode-sound.ts'
import { createSound, type Sound, soundOf } from './sound.ts'

const RED = { _: (key: string, values?: object) => `${key} ${JSON.stringify(values)}` }
const { signal } = new AbortController()
const decodeSound = (sound: Sound, sampleRateHertz: number) =>
  decodeSoundUntil(RED, sound, sampleRateHertz, signal)

const toneAt = (sampleRateHertz: number) => tone({ seconds: 1, sampleRateHertz, hertz: 1000 })

/** A WAV file of a tone, whose samples are written one by one. */
function wav(sampleRateHertz: number, bits: number, channels: number): Buffer {
  const samples = toneAt(sampleRateHertz)
  const bytes = bits / 8
  const data = Buffer.alloc((samples.length / 2) * channels * bytes)
  for (let index = 0; 2 * index < samples.length; index++) {
    const sample = samples.readInt16LE(2 * index) * 2 ** (bits - 16)
    for (let channel = 0; channel < channels; channel++) {
      data.writeIntLE(sample, (index * channels + channel) * bytes, bytes)
    }
  }
  const format = Buffer.from(writeWavHeader({ sampleRateHertz, channels })).subarray(20, 36)
  format.writeUInt16LE(channels * bytes, 12)
  format.writeUInt16LE(bits, 14)
  const chunks = [Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', data)]
  return chunk('RIFF', Buffer.concat(chunks))
}

async function readAll(sound: Sound): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of sound.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The level of one frequency in the middle of a sound, relative to full scale. */
function levelAt(hertz: number, pcm: Buffer, sampleRateHertz: number): number {
  const samples = Array.from({ length: pcm.length >> 1 }, (_, index) => pcm.readInt16LE(2 * index))
  const middle = samples.slice(samples.length / 4, (samples.length * 3) / 4)
  const sum = (wave: (angle: number) => number) =>
    middle.reduce((total, sample, index) => {
      return total + (sample / 0x8000) * wave((2 * Math.PI * hertz * index) / sampleRateHertz)
    }, 0) / middle.length
  return 20 * Math.log10(2 * Math.hypot(sum(Math.cos), sum(Math.sin)))
}

const encoded = (encoding: AudioEncoding, rateHertz: number) => () =>
  encode(encoding, rateHertz, toneAt(rateHertz))

const cases: readonly [AudioEncoding, number, string, () => Buffer | Promise<Buffer>][] = [
  ['MP3', 44_100, 'mono', encoded('MP3', 44_100)],
  ['MP3', 24_000, 'mono', encoded('MP3', 24_000)],
  ['WAV', 48_000, 'stereo', () => wav(48_000, 16, 2)],
  ['WAV', 22_050, '24-bit', () => wav(22_050, 24, 1)],
  ['LINEAR16', 16_000, 'mono', () => wav(16_000, 16, 1)],
  ['FLAC', 44_100, 'mono', encoded('FLAC', 44_100)],
  ['OGG_OPUS', 48_000, 'mono', encoded('OGG_OPUS', 48_000)],
  ['PCM', 32_000, 'mono', encoded('PCM', 32_000)],
  ['MULAW', 8000, 'mono', encoded('MULAW', 8000)],
  ['ALAW', 8000, 'mono', encoded('ALAW', 8000)],
]

describe('a decoded sound', () => {
  it.each(cases)('has the pitch, level and duration of %s at %i Hz, %s', async (...row) => {
    const [audioEncoding, sampleRateHertz, , makeFile] = row
    const file = await makeFile()
    const sound = createSound({ audioEncoding, sampleRateHertz })
    const decoded = decodeSound(sound, 24_000)
    for (let at = 0; at < file.length; at += 777) sound.append(file.subarray(at, at + 777))
    sound.complete()
    const pcm = await readAll(decoded)
    expect(decoded.format).toEqual({ audioEncoding: 'PCM', sampleRateHertz: 24_000 })
    expect(levelAt(1000, pcm, 24_000)).toBeCloseTo(-10, 0)
    expect(decoded.durationSeconds).toBeGreaterThan(0.98)
    // MP3 and Opus fill up their last frame.
    expect(decoded.durationSeconds).toBeLessThan(1.12)
  })

  it('can be heard before the sound is complete', async () => {
    const file = await encode('MP3', 48_000, toneAt(48_000))
    const sound = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const controller = new AbortController()
    const read = decodeSoundUntil(RED, sound, 24_000, controller.signal).read()
    sound.append(file.subarray(0, file.length / 2))
    expect((await read.next()).value!.length).toBeGreaterThan(0)
    // Or the decoder would wait for the rest, and other files of this worker for the decoder.
    controller.abort()
  })

  it('contains no tone above half of its sample rate', async () => {
    const input = tone({ seconds: 1, sampleRateHertz: 48_000, hertz: 15_000 })
    const sound = soundOf({ audioEncoding: 'PCM', sampleRateHertz: 48_000 }, input)
    // Without a filter, 15 kHz would appear as 9 kHz.
    expect(levelAt(9000, await readAll(decodeSound(sound, 24_000)), 24_000)).toBeLessThan(-60)
  })

  it('is the sound itself if that is PCM of this rate', () => {
    const sound = createSound({ audioEncoding: 'PCM', sampleRateHertz: 24_000 })
    expect(decodeSound(sound, 24_000)).toBe(sound)
  })

  it.each(['MP3', 'WAV', 'FLAC', 'OGG_OPUS'] as const)(
    'fails if the bytes are not %s',
    async (audioEncoding) => {
      const sound = soundOf(
        { audioEncoding, sampleRateHertz: 48_000 },
        Buffer.alloc(9000, 'no sound'),
      )
      await expect(decodeSound(sound, 24_000).completed).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(audioEncoding),
      })
    },
  )

  it.each([
    ['WAV', 'channels', wavWith({ 22: 65_535, 32: 65_535 })],
    ['WAV', 'header', imaWav(65_535)],
    ['OGG_OPUS', 'channels', oggOpus(255)],
    ['FLAC', 'too-much-memory', silentFlac(1000, true)],
  ] as const)('fails without memory of Node-RED: %s, %s', async (audioEncoding, problem, file) => {
    const decode = () =>
      decodeSound(soundOf({ audioEncoding, sampleRateHertz: 48_000 }, file), 24_000).completed
    const rejected = { code: 'INVALID_INPUT', message: expect.stringContaining(problem) }
    await expect(decode()).rejects.toMatchObject(rejected)
    const rejectOften = async () => {
      for (let times = 0; times < (problem === 'too-much-memory' ? 2 : 100); times++) {
        await expect(decode()).rejects.toMatchObject(rejected)
      }
    }
    const maxGrowthBytes = 10 * 1024 * 1024
    expect(await memoryGrowth(rejectOften, maxGrowthBytes)).toBeLessThan(maxGrowthBytes)
  })

  it('decodes no faster than it is read, so that hours of silence in a small file take no memory', async () => {
    const file = silentFlac(75)
    expect(file.length).toBeLessThan(5000)
    const decoded = decodeSound(
      soundOf({ audioEncoding: 'FLAC', sampleRateHertz: 48_000 }, file),
      24_000,
    )
    let held = 0
    for await (const _chunk of decoded.read()) held = Math.max(held, decoded.heldBytes)
    expect(decoded.byteLength).toBeGreaterThan(99 * 48_000)
    expect(held).toBeLessThan(3_000_000)
  })

  it('fails with the error of the sound, or with the reason of an abort', async () => {
    const broken = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const decodedBroken = decodeSound(broken, 24_000)
    broken.fail(new Error('the service is gone'))
    await expect(decodedBroken.completed).rejects.toThrow('the service is gone')

    const controller = new AbortController()
    const endless = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const decodedEndless = decodeSoundUntil(RED, endless, 24_000, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(decodedEndless.completed).rejects.toThrow('stopped')
  })
})
