import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { joinSamples } from '../../audio/signal.ts'
import { type FliteThread, startFliteThread } from '../flite/flite-thread.ts'
import type { FlitePhrase, FliteSound } from '../flite/run-flite.ts'
import type { SpeakingThreadOptions } from './speaking-thread.ts'
import { ThreadPool } from './thread-pool.ts'

const { signal } = new AbortController()
const phrase: FlitePhrase = { voice: 'slt', text: 'The door is open', withTokens: false }
// Much longer than any phrase of the service. The first sound of `endless` takes seconds, that of its sentences a moment.
const endless: FlitePhrase = { voice: 'slt', text: 'and so on '.repeat(1500), withTokens: false }
const endlessSentences: FlitePhrase = { ...endless, text: 'And so on. '.repeat(1000) }
const sentences: FlitePhrase = { ...endless, text: 'And so on. '.repeat(20) }

/** A pool of real threads, and every thread that it has started. */
function openPool(
  options: {
    maxMemoryBytes?: number
    maxIdleMs?: number
    limitMs?: SpeakingThreadOptions['limitMs']
    canInterrupt?: boolean
    maxThreads?: number
  } = {},
) {
  const started: FliteThread[] = []
  const start = () => {
    const thread = startFliteThread({ limitMs: options.limitMs })
    started.push(thread)
    return thread
  }
  const { limitMs: _, maxThreads = 2, ...poolOptions } = options
  const pool = new ThreadPool({ start, maxThreads, ...poolOptions })
  onTestFinished(() => pool.close())
  return { pool, started }
}

/** @returns the samples of the phrase. */
async function speak(
  pool: ThreadPool<FlitePhrase, FliteSound>,
  spoken = phrase,
): Promise<Float32Array> {
  const pieces: Float32Array[] = []
  const onSound = ({ samples }: FliteSound) => void pieces.push(samples)
  await pool.run({ phrase: spoken, onSound, signal })
  return joinSamples(pieces)
}

describe('ThreadPool', () => {
  it('reuses an idle thread for every voice', async () => {
    const { pool, started } = openPool()
    for (const voice of ['slt', 'kal16', 'rms', 'awb']) await speak(pool, { ...phrase, voice })
    expect(started.length).toBe(1)
  })

  it('closes the least recently used thread when there are too many', async () => {
    const { pool, started } = openPool()
    const idle: number[] = []
    const note = (index: number) => speak(pool).then(() => idle.push(index))
    await Promise.all([0, 1, 2].map(note))
    const expected = [0, 1, 2].map((index) => index !== idle[0])
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual(expected)
    expect([pool.alive, pool.replaced]).toEqual([2, 0])
  })

  it('closes threads that have not spoken for a while, and speaks again', async () => {
    const { pool, started } = openPool({ maxIdleMs: 1 })
    const samples = await speak(pool)
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual([false])
    expect([pool.alive, pool.replaced]).toEqual([0, 0])
    expect(await speak(pool)).toEqual(samples)
  })

  it('starts no thread after close', async () => {
    const { pool, started } = openPool()
    await speak(pool)
    await pool.close()
    await expect(speak(pool)).rejects.toThrow('The voices are closed')
    await expect(speak(pool)).rejects.toThrow('The voices are closed')
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false])
  })

  it('retries a phrase when its thread dies, with the same samples', async () => {
    const { pool, started } = openPool()
    // A thread that has just been started has not spoken yet.
    const speaking = speak(pool)
    await started[0]!.close()
    const samples = await speaking
    expect(pool.replaced).toBe(1)
    expect(await speak(pool)).toEqual(samples)
  })

  it('speaks the rest of a phrase when its thread dies in the middle, with the same samples', async () => {
    const { pool, started } = openPool()
    const whole = await speak(pool, sentences)
    const pieces: Float32Array[] = []
    await pool.run({
      phrase: sentences,
      onSound({ samples }) {
        pieces.push(samples)
        if (pieces.length === 1) void started[0]!.close()
      },
      signal,
    })
    expect(joinSamples(pieces)).toEqual(whole)
    expect(pool.replaced).toBe(1)
  })

  it('stops a phrase when the signal is aborted, and speaks the next one with the same thread', async () => {
    const { pool, started } = openPool()
    const controller = new AbortController()
    let pieceCount = 0
    const speaking = pool.run({
      phrase: endlessSentences,
      onSound() {
        pieceCount += 1
        controller.abort(new Error('enough'))
      },
      signal: controller.signal,
    })
    await expect(speaking).rejects.toThrow('enough')
    expect(pieceCount).toBeLessThan(100)
    await expect(pool.run({ phrase, onSound() {}, signal: controller.signal })).rejects.toThrow(
      'enough',
    )
    expect((await speak(pool)).length).toBeGreaterThan(5000)
    expect(started.length).toBe(1)
  })

  it('interrupts a phrase for another one on the same thread, with the same samples of both', async () => {
    const { pool, started } = openPool({ maxThreads: 1, canInterrupt: true })
    const whole = await speak(pool, sentences)
    const alone = await speak(pool)
    const pieces: Float32Array[] = []
    let saying: Promise<number> | undefined
    let urgent: Float32Array | undefined
    await pool.run({
      phrase: sentences,
      onSound({ samples }) {
        pieces.push(samples)
        saying ??= speak(pool).then((spoken) => {
          urgent = spoken
          return pieces.length
        })
      },
      signal,
    })
    expect(await saying).toBeLessThan(pieces.length)
    expect(urgent).toEqual(alone)
    expect(joinSamples(pieces)).toEqual(whole)
    expect([started.length, pool.alive]).toEqual([1, 1])
  })

  it('goes on with the interrupted phrase that is the most urgent one, not with the last', async () => {
    const { pool } = openPool({ maxThreads: 1, canInterrupt: true })
    const ended: string[] = []
    const ranks = { first: 3, second: 2, third: 1 }
    const say = async (name: keyof typeof ranks, onSound: () => void) => {
      await pool.run({ phrase: sentences, onSound, signal, rank: () => ranks[name] })
      ended.push(name)
    }
    let second: Promise<void> | undefined
    let third: Promise<void> | undefined
    const sayThird = () => {
      third ??= say('third', () => {
        ranks.first = 0
      })
    }
    await say('first', () => {
      second ??= say('second', sayThird)
    })
    await Promise.all([second, third])
    expect(ended).toEqual(['third', 'first', 'second'])
  })

  it('counts no time of a phrase while another one interrupts it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const limitMs = ({ text }: { text: string }) => (text === sentences.text ? 10_000 : 1e9)
    const { pool, started } = openPool({ maxThreads: 1, canInterrupt: true, limitMs })
    let others: Promise<void> | undefined
    await speak(pool)
    const onSound = () => void vi.advanceTimersByTime(10_000)
    await pool.run({
      phrase: sentences,
      onSound() {
        others ??= pool.run({ phrase, onSound, signal })
      },
      signal,
    })
    await others
    expect([started.length, pool.replaced]).toEqual([1, 0])
    await expect(pool.run({ phrase: sentences, onSound, signal })).rejects.toThrow('took too long')
  })

  it('speaks the rest of a phrase with another thread when one that interrupts it hangs', async () => {
    const limitMs = ({ text }: { text: string }) => (text === endless.text ? 50 : 1e9)
    const { pool, started } = openPool({ maxThreads: 1, canInterrupt: true, limitMs })
    const whole = await speak(pool, sentences)
    const pieces: Float32Array[] = []
    let hanging: Promise<Float32Array> | undefined
    await pool.run({
      phrase: sentences,
      onSound({ samples }) {
        pieces.push(samples)
        hanging ??= speak(pool, endless)
        hanging.catch(() => {})
      },
      signal,
    })
    await expect(hanging).rejects.toThrow('took too long')
    expect(joinSamples(pieces)).toEqual(whole)
    expect(started.length).toBe(2)
  })

  it('ends a phrase that is aborted while another one interrupts it', async () => {
    const { pool, started } = openPool({ maxThreads: 1, canInterrupt: true })
    const alone = await speak(pool)
    const controller = new AbortController()
    let saying: Promise<Float32Array> | undefined
    const speaking = pool.run({
      phrase: endlessSentences,
      onSound() {
        saying ??= speak(pool)
        controller.abort(new Error('enough'))
      },
      signal: controller.signal,
    })
    await expect(speaking).rejects.toThrow('enough')
    expect(await saying).toEqual(alone)
    expect(await speak(pool)).toEqual(alone)
    expect(started.length).toBe(1)
  })

  it('ends both phrases if the one that interrupts is aborted after the other, also after earlier phrases', async () => {
    const { pool, started } = openPool({ maxThreads: 1, canInterrupt: true })
    const controllers = [new AbortController(), new AbortController()] as const
    const [first, fifth] = controllers
    let others: Promise<void> | undefined
    const speaking = pool.run({
      phrase: endlessSentences,
      onSound() {
        others ??= (async () => {
          for (let count = 0; count < 3; count += 1) await speak(pool)
          const onSound = () => {
            first.abort(new Error('enough'))
            fifth.abort(new Error('enough'))
          }
          await pool.run({ phrase: endlessSentences, onSound, signal: fifth.signal })
        })()
        others.catch(() => {})
      },
      signal: first.signal,
    })
    await expect(speaking).rejects.toThrow('enough')
    await expect(others).rejects.toThrow('enough')
    expect((await speak(pool)).length).toBeGreaterThan(5000)
    expect(started.length).toBe(1)
  })

  it('rejects a phrase whose thread dies twice, and speaks the next one', async () => {
    const { pool, started } = openPool()
    const failing = expect(speak(pool, endless)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'The thread that speaks was closed',
    })
    await started[0]!.close()
    await expect.poll(() => started.length).toBe(2)
    await started[1]!.close()
    await failing
    expect((await speak(pool)).length).toBeGreaterThan(5000)
  })

  it('gives a thread more time for its first phrase, which includes its start', async () => {
    const { pool } = openPool({ limitMs: (_phrase, isFirst) => (isFirst ? 60_000 : 1) })
    await speak(pool)
    await expect(speak(pool, endless)).rejects.toThrow('took too long')
  })

  it('stops a phrase that hangs, does not retry it, and speaks the next one', async () => {
    const { pool, started } = openPool({ limitMs: ({ text }) => (text.length > 100 ? 50 : 10_000) })
    await expect(speak(pool, endless)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took too long'),
    })
    expect(started.length).toBe(2)
    expect((await speak(pool)).length).toBeGreaterThan(5000)
    expect(pool.replaced).toBe(1)
  })

  it('replaces a thread that has grown too large', async () => {
    const { pool, started } = openPool({ maxMemoryBytes: 1024 * 1024 })
    await speak(pool)
    expect(started[0]!.memoryBytes).toBeGreaterThan(1024 * 1024)
    await expect.poll(() => started.map(({ isAlive }) => isAlive)).toEqual([false, true])
    expect(pool.replaced).toBe(1)
    expect((await speak(pool)).length).toBeGreaterThan(5000)
  })
})
