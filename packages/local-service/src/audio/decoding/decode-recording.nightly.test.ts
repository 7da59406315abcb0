import { spawnSync } from 'node:child_process'
import { type RecordingFormat, writeWavHeader } from '@parlando/core/audio'
import type { AudioEncoding } from '@parlando/core/wire'
import { browserRecording } from '@parlando/test-support/audio/browser-recording'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { chunk } from '@parlando/test-support/audio/hostile-recordings'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEncoderPool } from '../encoding/encoder-pool.ts'
import { fromInt16, toPcmBytes } from '../pcm.ts'
import { decodeRecording } from './decode-recording.ts'
import { decodeSound } from './decode-sound.ts'

const sampleRateHertz = 16_000
const seconds = 4.3
const { signal } = new AbortController()
const sound = fromInt16(voicedSound({ seconds, sampleRateHertz: 48_000 }))

async function encode(audioEncoding: AudioEncoding, samples = sound): Promise<Buffer> {
  if (audioEncoding === 'WAV') {
    const pcm = toPcmBytes(samples)
    const header = writeWavHeader({ sampleRateHertz: 48_000, dataBytes: pcm.length })
    return Buffer.concat([header, pcm])
  }
  const encoder = await createEncoderPool().open({
    audioEncoding,
    sampleRateHertz: 48_000,
    bitRate: 128_000,
  })
  const parts: Uint8Array[] = []
  for (let start = 0; start < samples.length; start += 48_000) {
    parts.push(await encoder.push(samples.subarray(start, start + 48_000)))
  }
  parts.push(await encoder.end())
  encoder.close()
  return Buffer.concat(parts)
}

async function decode(
  file: Uint8Array,
  format: RecordingFormat,
  signal = new AbortController().signal,
): Promise<Int16Array> {
  const pieces: Buffer[] = []
  for await (const piece of decodeRecording({ file, format, sampleRateHertz }, 'file', signal)) {
    pieces.push(Buffer.from(piece.buffer as ArrayBuffer, piece.byteOffset, piece.byteLength))
  }
  const { buffer, byteOffset, byteLength } = new Uint8Array(Buffer.concat(pieces))
  return new Int16Array(buffer, byteOffset, byteLength / 2)
}

describe('decodeRecording', () => {
  it.each(['WAV', 'MP3', 'OGG_OPUS', 'FLAC'] as const)(
    'decodes %s to the rate of the recognisers, from the first sound to the last',
    async (format) => {
      const samples = await decode(await encode(format), format)
      expect(samples.length / sampleRateHertz).toBeGreaterThan(seconds - 0.05)
      expect(samples.length / sampleRateHertz).toBeLessThan(seconds + 0.15)
      const level = Math.sqrt(samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length)
      const original = Math.sqrt(sound.reduce((sum, value) => sum + value ** 2, 0) / sound.length)
      // The MP3 encoder lowers the level by 5 %.
      expect(level / 32_768 / original).toBeGreaterThan(0.93)
      expect(level / 32_768 / original).toBeLessThan(1.05)
    },
  )

  it('decodes every sample of a FLAC of our own, of any length', async () => {
    for (let index = 0; index < 12; index++) {
      const samples = sound.subarray(0, 3 * (16_000 + 997 * index))
      expect(await decode(await encode('FLAC', samples), 'FLAC')).toHaveLength(samples.length / 3)
    }
  })

  it.each([
    ['a list of five bytes', 'LIST', 5],
    ['broadcast data', 'bext', 603],
    ['a tag', 'id3 ', 129],
  ])('decodes a WAV with %s in front of its sound', async (_what, id, bytes) => {
    const pcm = toPcmBytes(sound)
    const format = Buffer.from(writeWavHeader({ sampleRateHertz: 48_000 })).subarray(20, 36)
    const chunks = [chunk('fmt ', format), chunk(id, Buffer.alloc(bytes, 1)), chunk('data', pcm)]
    const file = chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]))
    expect(await decode(file, 'WAV')).toEqual(await decode(await encode('WAV'), 'WAV'))
  })

  it('decodes what a browser has recorded', async () => {
    const samples = await decode(browserRecording, 'WEBM')
    expect(samples.length / sampleRateHertz).toBeCloseTo(6, 1)
    expect(samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0)).toBeGreaterThan(
      5000,
    )
  })

  it.each(['WAV', 'MP3', 'OGG_OPUS', 'FLAC'] as const)('decodes a truncated %s', async (format) => {
    const file = await encode(format)
    const samples = await decode(file.subarray(0, file.length / 2), format)
    expect(samples.length / sampleRateHertz).toBeGreaterThan(seconds / 3)
    expect(samples.length / sampleRateHertz).toBeLessThan(seconds * 0.75)
  })

  it.each(['WAV', 'MP3', 'OGG_OPUS', 'FLAC', 'WEBM'] as const)(
    'rejects bytes that are not %s',
    async (format) => {
      const garbage = Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7919) % 251))
      await expect(decode(garbage, format)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^file: the audio /),
      })
    },
  )

  it('rejects more than an hour', async () => {
    // The lowest rate, and no conversion of it, so that the test is short.
    const sampleRateHertz = 4000
    const dataBytes = 2 * sampleRateHertz * 3700
    const header = writeWavHeader({ sampleRateHertz, dataBytes })
    const file = Buffer.concat([header, Buffer.alloc(dataBytes)])
    const pieces = decodeRecording({ file, format: 'WAV', sampleRateHertz }, 'file', signal)
    let length = 0
    const read = async () => {
      for await (const piece of pieces) length += piece.length
    }
    await expect(read()).rejects.toThrow('is longer than the limit of 3600 s; split it')
    expect(length / sampleRateHertz).toBeGreaterThan(3590)
  })

  it('decodes only as fast as its reader', async () => {
    const file = await encode('WAV')
    const reader = decodeRecording({ file, format: 'WAV', sampleRateHertz }, 'file', signal)
    const { value } = await reader.next()
    expect(value!.length).toBeLessThan(sampleRateHertz)
    await reader.return()
  })

  it.each([
    ['FLAC', 'INVALID_ARGUMENT', 'the audio takes longer than 30 s to decode; convert it to WAV'],
    [
      'WAV',
      'UNAVAILABLE',
      'decoding the audio takes longer than 30 s, because this device is overloaded; try again in 5 s',
    ],
  ] as const)('says what helps against a %s that takes too long', async (format, code, problem) => {
    const file = await encode(format)
    const reader = decodeRecording({ file, format, sampleRateHertz }, 'file', signal)
    await reader.next()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const readRest = async () => {
      for await (const _ of reader);
    }
    const reading = readRest()
    const pass = () => {
      vi.advanceTimersByTime(30_000)
      late = setImmediate(pass)
    }
    // In each turn of the event loop, and so before the process responds.
    let late = setImmediate(pass)
    onTestFinished(() => clearImmediate(late))
    await expect(reading).rejects.toMatchObject({ code, message: `file: ${problem}` })
  })

  it('rejects with the reason of an abort', async () => {
    const abort = new AbortController()
    const decoded = decode(await encode('MP3'), 'MP3', abort.signal)
    const reason = new Error('the caller disconnected')
    abort.abort(reason)
    await expect(decoded).rejects.toBe(reason)
  })
})

const ffmpeg = findProgram('ffmpeg')
const flac = findProgram('flac')

/** Variants of WebM files of browsers and other programs, as options of ffmpeg. */
const webmVariants: Readonly<Record<string, readonly string[]>> = {
  'of a live recording, without sizes or cues': ['-live', '1'],
  'in one large cluster': ['-cluster_time_limit', '30000'],
  'in stereo': ['-ac', '2'],
  'with frames of 60 ms': ['-frame_duration', '60'],
  'in short clusters': ['-cluster_time_limit', '100'],
  'with cues in front': ['-cues_to_front', '1'],
  'at 8 kHz': ['-ar', '8000'],
  'at 24 kHz': ['-ar', '24000'],
  'with frames of 2.5 ms': ['-frame_duration', '2.5', '-application', 'lowdelay'],
  'with 6 kbit/s': ['-b:a', '6000'],
  'with a constant bit rate': ['-vbr', 'off', '-b:a', '64000'],
}

describe('a FLAC file of the program of its authors', needs('flac'), () => {
  const variants: [what: string, options: string[]][] = [
    ['of the best level, with stereo', ['-8', '--channels=2']],
    ['with a cover of 100 kB', ['--padding=100000']],
    ['with small blocks', ['--blocksize=192']],
    ['with large blocks', ['--blocksize=16384', '--lax']],
    ['of the fastest level', ['-0']],
  ]
  it.each(casesToRun(variants, 2))('%s is decoded to its last sample', async (_what, options) => {
    // Many lengths, because a decoder may lose what is near the end of a piece.
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const samples = 16_000 + 998 * index
        const raw = ['--endian=little', '--sign=signed', '--bps=16', '--sample-rate=16000']
        const channels = options.some((option) => option.includes('channels'))
          ? []
          : ['--channels=1']
        const input = toPcmBytes(sound.subarray(0, samples))
        const result = spawnSync(
          flac!,
          ['--silent', '--force-raw-format', ...raw, ...channels, ...options, '--stdout', '-'],
          { input, maxBuffer: 1e8 },
        )
        const decoded = await decode(result.stdout, 'FLAC')
        expect(decoded).toHaveLength(channels.length > 0 ? samples : Math.floor(samples / 2))
      }),
    )
  })
})

describe('a WebM file', needs('ffmpeg'), () => {
  let wav: Buffer
  beforeAll(async () => {
    wav = await encode('WAV')
  })

  function toWebm(options: readonly string[]): Buffer {
    const output = ['-c:a', 'libopus', ...options, '-f', 'webm', 'pipe:1']
    return spawnSync(ffmpeg!, ['-v', 'error', '-i', 'pipe:0', ...output], { input: wav }).stdout
  }

  it.each(casesToRun(Object.entries(webmVariants), 4))(
    '%s is decoded completely',
    async (_name, options) => {
      const samples = await decode(toWebm(options), 'WEBM')
      expect(Math.abs(samples.length / sampleRateHertz - seconds)).toBeLessThan(0.1)
      expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
    },
  )

  it.each([0.3, 0.55, 0.9])(
    'of a live recording is decoded up to %d of its bytes',
    async (share) => {
      const file = toWebm(['-live', '1', '-vbr', 'off'])
      const samples = await decode(file.subarray(0, Math.floor(file.length * share)), 'WEBM')
      expect(Math.abs(samples.length / sampleRateHertz / seconds - share)).toBeLessThan(0.1)
    },
  )
})

/** Frames of silence, each of 65,535 samples in 8 channels: a kilobyte contains 40 seconds, and 60 MB of samples. */
function silentFlac(frames: number): Buffer {
  const head = Buffer.alloc(42)
  head.write('fLaC')
  head.set([0x80, 0, 0, 34, 0xff, 0xff, 0xff, 0xff], 4)
  // 48,000 Hz, 8 channels of 16 bits.
  head.set([0x0b, 0xb8, 0x0e, 0xf0], 18)
  const crc = (bytes: Buffer, polynomial: number, width: number) => {
    const top = 1 << (width - 1)
    let sum = 0
    for (const byte of bytes) {
      sum ^= byte << (width - 8)
      for (let bit = 0; bit < 8; bit++)
        sum = (sum & top ? (sum << 1) ^ polynomial : sum << 1) & (2 * top - 1)
    }
    return sum
  }
  const frame = (number: number) => {
    const coded = Buffer.from(String.fromCodePoint(number))
    const start = Buffer.concat([
      Buffer.from([0xff, 0xf8, 0x7a, 0x78]),
      coded,
      Buffer.from([0xff, 0xfe]),
    ])
    const body = Buffer.concat([start, Buffer.from([crc(start, 0x07, 8)]), Buffer.alloc(8 * 3)])
    const sum = crc(body, 0x8005, 16)
    return Buffer.concat([body, Buffer.from([sum >> 8, sum & 255])])
  }
  return Buffer.concat([head, ...Array.from({ length: frames }, (_, number) => frame(number))])
}

it('ends a FLAC of hours of silence at the limit of its length, without its memory', async () => {
  const before = process.memoryUsage().rss
  const file = silentFlac(5000)
  expect(file.length).toBeLessThan(200_000)
  let samples = 0
  const read = async () => {
    const request = { format: 'FLAC' as const, sampleRateHertz, maxSeconds: 3 }
    for await (const piece of decodeSound(request, [file], signal)) samples += piece.samples.length
  }
  await expect(read()).rejects.toMatchObject({ problem: 'too-long' })
  expect(samples).toBeLessThanOrEqual(3 * sampleRateHertz)
  expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(100)
})
