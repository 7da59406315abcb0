import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SoundMessage } from '../chunk-sequences.ts'
import { createRecordingCollector, type RecordingCollector } from './recording-collector.ts'

const RED = { _: (key: string) => key } as Parameters<typeof createRecordingCollector>[0]
const samples = Buffer.alloc(320, 7)

let collector: RecordingCollector
beforeEach(() => {
  collector = createRecordingCollector(RED)
})

function chunk(index: number, id = 'a', payload = samples): SoundMessage {
  return { _msgid: id, payload, parts: { id, type: 'buffer', index } } as SoundMessage
}

/** Takes the first chunk of a sequence. @returns the audio that begins with it. */
function begin(id = 'a', payload = samples) {
  const message = chunk(0, id, payload)
  expect(collector.takeChunk(message)).toBe(false)
  const audio = collector.open(message, { signal: new AbortController().signal, isWhole: false })
  if (audio.kind !== 'live') throw new Error('The audio is not live')
  return { message, read: () => collect(audio.readChunks(new AbortController().signal)) }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0
  for await (const { length } of chunks) sizeBytes += length
  return sizeBytes
}

describe('the chunks of a sequence', () => {
  it('are read in order, up to the last one', async () => {
    const { read } = begin()
    const reading = read()
    expect(collector.takeChunk(chunk(1))).toBe(true)
    expect(collector.takeChunk({ ...chunk(2), complete: true })).toBe(true)
    expect(await reading).toBe(960)
  })

  it('leave nothing on the signal of their reader', async () => {
    const message = chunk(0)
    collector.takeChunk(message)
    collector.takeChunk({ ...chunk(1), complete: true })
    const { signal } = new AbortController()
    const audio = collector.open(message, { signal, isWhole: false })
    if (audio.kind !== 'live') throw new Error('The audio is not live')
    expect(await collect(audio.readChunks(signal))).toBe(640)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('end with the number that the last one states', async () => {
    const { read } = begin()
    const last = chunk(1)
    Object.assign(last.parts!, { count: 2 })
    collector.takeChunk(last)
    expect(await read()).toBe(640)
  })

  it('wait for a service up to 25 MB', async () => {
    const { read } = begin('a', Buffer.alloc(20 * 1024 * 1024))
    collector.takeChunk(chunk(1, 'a', Buffer.alloc(6 * 1024 * 1024)))
    await expect(read()).rejects.toMatchObject({
      code: 'OUT_OF_RANGE',
      message: expect.stringMatching(/speech\.too-slow$/),
    })
    expect(collector.takeChunk(chunk(2))).toBe(true)
  })

  it('of at most 16 sequences are taken at the same time', async () => {
    const sequences = Array.from({ length: 17 }, (_, index) => begin(`s${index}`))
    await expect(sequences[0]!.read()).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
    collector.takeChunk({ ...chunk(1, 's16'), complete: true })
    expect(await sequences[16]!.read()).toBe(640)
  })

  it('are dropped after the work for them has ended', () => {
    const { message } = begin()
    collector.close(message)
    expect(collector.takeChunk(chunk(1))).toBe(true)
    expect(collector.takeChunk({ ...chunk(2), complete: true })).toBe(true)
  })

  it('end the wait of their reader when it is aborted', async () => {
    const message = chunk(0)
    collector.takeChunk(message)
    const leaving = new AbortController()
    const audio = collector.open(message, { signal: leaving.signal, isWhole: false })
    if (audio.kind !== 'live') throw new Error('The audio is not live')
    const reading = collect(audio.readChunks(leaving.signal))
    leaving.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
  })
})

describe('a sequence without an end', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('fails when no chunk has arrived for 30 seconds', async () => {
    const { read } = begin()
    const reading = read()
    const failure = expect(reading).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await vi.advanceTimersByTimeAsync(29_000)
    collector.takeChunk(chunk(1))
    await vi.advanceTimersByTimeAsync(29_000)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(2000)
    await failure
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind when the node stops', () => {
    begin('a')
    begin('b')
    collector.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('an entry of an array, and a Buffer without parts, are no chunks', () => {
  const parts = { id: 'a', type: 'array', index: 0, count: 2 }
  expect(collector.takeChunk({ _msgid: 'a', payload: samples, parts } as SoundMessage)).toBe(false)
  expect(collector.takeChunk({ _msgid: 'a', payload: samples })).toBe(false)
  const only = chunk(0)
  Object.assign(only.parts!, { count: 1 })
  expect(collector.takeChunk(only)).toBe(false)
})
