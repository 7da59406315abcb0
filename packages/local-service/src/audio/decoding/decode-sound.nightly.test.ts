import { setImmediate } from 'node:timers/promises'
import { recogniseEncoding } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import {
  chunk,
  imaWav,
  oggOpus,
  silentFlac,
  wavWith,
  webmOpus,
} from '@parlando/test-support/audio/hostile-recordings'
import { memoryGrowth } from '@parlando/test-support/watch/memory-growth'
import { describe, expect, it, vi } from 'vitest'
import { createEncoderPool } from '../encoding/encoder-pool.ts'
import { fromPcmBytes } from '../pcm.ts'
import { type DecodeRequest, decodeSound } from './decode-sound.ts'
import { createDecoderPool } from './decoder-processes.ts'

const { signal } = new AbortController()
const maxGrowthBytes = 30 * 1024 * 1024

/** @returns the number of samples. */
async function decode(
  file: Uint8Array,
  request: Partial<DecodeRequest> = {},
  pieceBytes = 1000,
): Promise<number> {
  const pieces = Array.from({ length: Math.ceil(file.length / pieceBytes) }, (_, index) =>
    file.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const format = recogniseEncoding(file) ?? 'WEBM'
  let length = 0
  for await (const { samples } of decodeSound({ format, ...request }, pieces, signal)) {
    length += samples.length
  }
  return length
}

const implausible: Readonly<Record<string, Buffer>> = {
  'WAV with 65,535 channels': wavWith({ 22: 65_535, 32: 65_535 }),
  'WAV without a channel': wavWith({ 22: 0 }),
  'WAV with blocks of no byte': wavWith({ 32: 0 }),
  'WAV with samples of no bit': wavWith({ 34: 0 }),
  'WAV with 65,535 samples in a block of IMA': imaWav(65_535),
  'Ogg Opus with 255 channels': oggOpus(255),
  'Ogg Opus whose second stream has 255 channels': Buffer.concat([oggOpus(1), oggOpus(255)]),
  'WebM with 255 channels': webmOpus(255),
}

describe('a sound with an implausible header', () => {
  it.each(Object.entries(implausible))('is rejected: %s', async (_what, file) => {
    for (const pieceBytes of [1, 10, 1000, file.length]) {
      await expect(decode(file, {}, pieceBytes)).rejects.toThrow(/channels; record it|contradicts/)
    }
  })

  it('leaves the memory of this process as it was after a hundred times', async () => {
    const rejectAll = async () => {
      for (const file of Object.values(implausible)) await decode(file).catch(() => {})
    }
    await rejectAll()
    const rejectHundred = async () => {
      for (let times = 0; times < 100 / Object.keys(implausible).length; times++) await rejectAll()
    }
    expect(await memoryGrowth(rejectHundred, maxGrowthBytes)).toBeLessThan(maxGrowthBytes)
  })

  it('is rejected if the header does not end', async () => {
    const file = wavWith({}, 3_000_000)
    file.write('LIST', 36)
    file.writeUInt32LE(0x7fff_ffff, 40)
    await expect(decode(file, {}, 65_536)).rejects.toMatchObject({ problem: 'endless-header' })
  })
})

it.each([
  ['WAV with a thousand empty chunks', wavWithChunks(1001)],
  ['WAV without sound', wavWith({}).subarray(0, 40)],
  ['FLAC of a few bytes', Buffer.from('fLaC....')],
])('a sound that ends within its header never reaches a decoder: %s', async (_what, file) => {
  await expect(decode(file)).rejects.toMatchObject({ problem: 'damaged' })
})

/** The decoder would read a header that the check has not found. */
function wavWithChunks(count: number): Buffer {
  const file = wavWith({ 22: 65_535, 32: 65_535 })
  const empty = Array.from({ length: count }, () => chunk('JUNK', Buffer.alloc(0)))
  return Buffer.concat([file.subarray(0, 12), ...empty, file.subarray(12)])
}

describe('a sound that takes too much memory', () => {
  it('is rejected, without memory of this process', async () => {
    const file = silentFlac(1000, true)
    await decode(file).catch(() => {})
    const reject = () => expect(decode(file)).rejects.toMatchObject({ problem: 'too-much-memory' })
    expect(await memoryGrowth(reject, maxGrowthBytes)).toBeLessThan(maxGrowthBytes)
  })

  it('is decoded if its parts are small', async () => {
    expect(await decode(silentFlac(40))).toBe(40 * 65_534)
  })
})

describe('a sound', () => {
  it.each([
    ['PCM', tone({ seconds: 1, sampleRateHertz: 8000, hertz: 500 })],
    ['MULAW', Buffer.alloc(8000, 0xff)],
    ['ALAW', Buffer.alloc(8000, 0xd5)],
  ] as const)('without a header is decoded as %s', async (format, file) => {
    const request = { format, inputRateHertz: 8000, sampleRateHertz: 16_000 }
    expect(Math.abs((await decode(file, request, 777)) - 16_000)).toBeLessThan(20)
  })

  it('is decoded while it arrives', async () => {
    const encoder = await createEncoderPool().open({
      audioEncoding: 'MP3',
      sampleRateHertz: 24_000,
      bitRate: 64_000,
    })
    const pcm = tone({ seconds: 2, sampleRateHertz: 24_000, hertz: 500 })
    const start = Buffer.from(encoder.push(fromPcmBytes(pcm)))
    encoder.close()
    let end = () => {}
    async function* pieces() {
      yield start
      await new Promise<void>((resolve) => {
        end = resolve
      })
    }
    const sound = decodeSound({ format: 'MP3' }, pieces(), signal)
    expect((await sound.next()).value?.samples.length).toBeGreaterThan(1000)
    end()
    await sound.return()
  })

  it('ends with the error of its source, or the reason of an abort', async () => {
    async function* broken() {
      yield wavWith({})
      throw new Error('the connection is broken')
    }
    const readAll = async (sound: AsyncIterable<unknown>) => {
      for await (const _ of sound);
    }
    const failing = decodeSound({ format: 'WAV' }, broken(), signal)
    await expect(readAll(failing)).rejects.toThrow('the connection is broken')
    const abort = new AbortController()
    const stopped = decodeSound({ format: 'WAV' }, [wavWith({}, 1_000_000)], abort.signal)
    await stopped.next()
    abort.abort(new Error('stopped'))
    await expect(readAll(stopped)).rejects.toThrow('stopped')
  })

  it('ends with the reason of an abort while its process starts', async () => {
    async function* endless() {
      yield wavWith({})
      await new Promise(() => {})
    }
    const abort = new AbortController()
    const first = decodeSound({ format: 'WAV' }, endless(), abort.signal).next()
    await setImmediate()
    abort.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
  })

  it('waits while as many are decoded as there may be processes', async () => {
    const pool = createDecoderPool(2)
    const open = await Promise.all([pool.acquire(signal), pool.acquire(signal)])
    const abort = new AbortController()
    const aborted = pool.acquire(abort.signal)
    const next = pool.acquire(signal)
    const hasStarted = vi.fn()
    next.then(hasStarted)
    abort.abort(new Error('stopped'))
    await expect(aborted).rejects.toThrow('stopped')
    expect(hasStarted).not.toHaveBeenCalled()
    open[0]!.release(false)
    for (const decoder of [open[1]!, await next]) decoder.release(false)
  })
})
