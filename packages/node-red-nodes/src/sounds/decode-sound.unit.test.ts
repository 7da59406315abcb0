import { execFileSync } from 'node:child_process'
import type { AudioEncoding } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/tone'
import { findProgram } from '@parlando/test-support/find-program'
import { describe, expect, it } from 'vitest'
import { decodeSound } from './decode-sound.ts'
import { createSound, type Sound, soundOf } from './sound.ts'

const ffmpeg = findProgram('ffmpeg', 'the decoding of sounds is not tested')!

/** Encodes a tone of 1 s with ffmpeg. */
function encode(options: readonly string[]): Buffer {
  const input = tone({ seconds: 1, sampleRateHertz: 48_000, hertz: 1000 })
  const source = ['-f', 's16le', '-ar', '48000', '-ac', '1', '-i', 'pipe:0']
  return execFileSync(ffmpeg, ['-loglevel', 'error', ...source, ...options, 'pipe:1'], { input })
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

// Without this filter, ffmpeg lowers the level of each channel.
const stereo = ['-af', 'pan=stereo|c0=c0|c1=c0']

const cases: readonly [AudioEncoding, number, string, string[]][] = [
  ['MP3', 44_100, 'mono', ['-ar', '44100', '-f', 'mp3']],
  ['MP3', 24_000, 'stereo', ['-ar', '24000', ...stereo, '-f', 'mp3']],
  ['WAV', 48_000, 'stereo', [...stereo, '-f', 'wav']],
  ['WAV', 22_050, '24-bit', ['-ar', '22050', '-c:a', 'pcm_s24le', '-f', 'wav']],
  ['LINEAR16', 16_000, 'mono', ['-ar', '16000', '-f', 'wav']],
  ['FLAC', 44_100, 'stereo', ['-ar', '44100', ...stereo, '-f', 'flac']],
  ['OGG_OPUS', 48_000, 'mono', ['-c:a', 'libopus', '-f', 'ogg']],
  ['PCM', 32_000, 'mono', ['-ar', '32000', '-f', 's16le']],
  ['MULAW', 8000, 'mono', ['-ar', '8000', '-f', 'mulaw']],
  ['ALAW', 8000, 'mono', ['-ar', '8000', '-f', 'alaw']],
]

describe('a decoded sound', () => {
  it.each(cases)('has the pitch, level and duration of %s at %i Hz, %s', async (...row) => {
    const [audioEncoding, sampleRateHertz, , options] = row
    const encoded = encode(options)
    const sound = createSound({ audioEncoding, sampleRateHertz })
    const decoded = decodeSound(sound, 24_000)
    for (let at = 0; at < encoded.length; at += 777) sound.append(encoded.subarray(at, at + 777))
    sound.complete()
    const pcm = await readAll(decoded)
    expect(decoded.format).toEqual({ audioEncoding: 'PCM', sampleRateHertz: 24_000 })
    expect(levelAt(1000, pcm, 24_000)).toBeCloseTo(-10, 0)
    expect(decoded.durationSeconds).toBeGreaterThan(0.98)
    // MP3 and Opus fill up their last frame.
    expect(decoded.durationSeconds).toBeLessThan(1.12)
  })

  it('can be heard before the sound is complete', async () => {
    const encoded = encode(['-f', 'mp3'])
    const sound = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const read = decodeSound(sound, 24_000).read()
    sound.append(encoded.subarray(0, encoded.length / 2))
    expect((await read.next()).value!.length).toBeGreaterThan(0)
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

  it('fails after a megabyte of a WAV header', async () => {
    const file = encode(['-f', 'wav'])
    const header = Buffer.alloc(2_000_000)
    file.copy(header, 0, 0, 36)
    header.write('LIST', 36)
    header.writeUInt32LE(0x7fffffff, 40)
    const sound = soundOf({ audioEncoding: 'WAV', sampleRateHertz: 48_000 }, header)
    await expect(decodeSound(sound, 24_000).completed).rejects.toThrow('its header does not end')
  })

  it('decodes no faster than it is read, so that hours of silence in a small file take no memory', async () => {
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono', '-t', '200', '-f', 'flac']
    const file = execFileSync(ffmpeg, ['-loglevel', 'error', ...silence, 'pipe:1'])
    expect(file.length).toBeLessThan(100_000)
    const decoded = decodeSound(
      soundOf({ audioEncoding: 'FLAC', sampleRateHertz: 48_000 }, file),
      24_000,
    )
    let held = 0
    for await (const _chunk of decoded.read()) held = Math.max(held, decoded.heldBytes)
    expect(decoded.byteLength).toBeGreaterThan(199 * 48_000)
    expect(held).toBeLessThan(3_000_000)
  })

  it('fails with the error of the sound, or with the reason of an abort', async () => {
    const broken = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const decodedBroken = decodeSound(broken, 24_000)
    broken.fail(new Error('the service is gone'))
    await expect(decodedBroken.completed).rejects.toThrow('the service is gone')

    const controller = new AbortController()
    const endless = createSound({ audioEncoding: 'MP3', sampleRateHertz: 48_000 })
    const decodedEndless = decodeSound(endless, 24_000, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(decodedEndless.completed).rejects.toThrow('stopped')
  })
})
