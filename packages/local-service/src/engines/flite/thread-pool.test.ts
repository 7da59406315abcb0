import { describe, expect, it, onTestFinished } from 'vitest'
import { type FliteThread, type FliteThreadOptions, startFliteThread } from './flite-thread.ts'
import type { FlitePhrase } from './run-flite.ts'
import { createThreadPool } from './thread-pool.ts'

const phrase: FlitePhrase = { voice: 'slt', text: 'The door is open', withTokens: false }
// Much longer than any phrase of the service. It takes seconds.
const endless: FlitePhrase = { voice: 'slt', text: 'and so on '.repeat(1500), withTokens: false }

/** A pool of real threads, and every thread that it has started. */
function openPool(
  options: { maxMemoryBytes?: number; limitMs?: FliteThreadOptions['limitMs'] } = {},
) {
  const started: FliteThread[] = []
  const start = () => {
    const thread = startFliteThread({ limitMs: options.limitMs })
    started.push(thread)
    return thread
  }
  const pool = createThreadPool({ start, maxThreads: 2, maxMemoryBytes: options.maxMemoryBytes })
  onTestFinished(() => pool.close())
  return { pool, started }
}

describe('createThreadPool', () => {
  it('reuses an idle thread for every voice', async () => {
    const { pool, started } = openPool()
    for (const voice of ['slt', 'kal16', 'rms', 'awb']) await pool.speak({ ...phrase, voice })
    expect(started.length).toBe(1)
  })

  it('closes the least recently used thread when there are too many', async () => {
    const { pool, started } = openPool()
    const idle: number[] = []
    const speak = (index: number) => pool.speak(phrase).then(() => idle.push(index))
    await Promise.all([0, 1, 2].map(speak))
    const expected = [0, 1, 2].map((index) => index !== idle[0])
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual(expected)
    expect([pool.alive, pool.replaced]).toEqual([2, 0])
  })

  it('starts no thread after close', async () => {
    const { pool, started } = openPool()
    await pool.speak(phrase)
    await pool.close()
    await expect(pool.speak(phrase)).rejects.toThrow('The voices are closed')
    await expect(pool.speak(phrase)).rejects.toThrow('The voices are closed')
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false])
  })

  it('retries a phrase when its thread dies, with the same samples', async () => {
    const { pool, started } = openPool()
    const { samples } = await pool.speak(phrase)
    const speaking = pool.speak(phrase)
    await started[0]!.close()
    expect((await speaking).samples).toEqual(samples)
    expect(pool.replaced).toBe(1)
  })

  it('rejects a phrase whose thread dies twice, and speaks the next one', async () => {
    const { pool, started } = openPool()
    const failing = expect(pool.speak(endless)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('crashed'),
    })
    await started[0]!.close()
    await expect.poll(() => started.length).toBe(2)
    await started[1]!.close()
    await failing
    expect((await pool.speak(phrase)).samples.length).toBeGreaterThan(5000)
  })

  it('gives a thread more time for its first phrase, which includes its start', async () => {
    const { pool } = openPool({ limitMs: (_phrase, isFirst) => (isFirst ? 60_000 : 1) })
    await pool.speak(phrase)
    await expect(pool.speak(endless)).rejects.toThrow('took too long')
  })

  it('stops a phrase that hangs, does not retry it, and speaks the next one', async () => {
    const { pool, started } = openPool({ limitMs: ({ text }) => (text.length > 100 ? 50 : 10_000) })
    await expect(pool.speak(endless)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took too long'),
    })
    expect(started.length).toBe(2)
    expect((await pool.speak(phrase)).samples.length).toBeGreaterThan(5000)
    expect(pool.replaced).toBe(1)
  })

  it('replaces a thread that has grown too large', async () => {
    const { pool, started } = openPool({ maxMemoryBytes: 1024 * 1024 })
    const { memoryBytes } = await pool.speak(phrase)
    expect(memoryBytes).toBeGreaterThan(1024 * 1024)
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual([false, true])
    expect(pool.replaced).toBe(1)
    expect((await pool.speak(phrase)).samples.length).toBeGreaterThan(5000)
  })
})
