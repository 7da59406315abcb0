import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ConverseMessage, conversationMessages } from './conversation-messages.ts'
import { Filler, type FillerKind } from './filler.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createFiller(
  kind?: FillerKind,
  word: (signal: AbortSignal) => Promise<Uint8Array> = async () => Buffer.alloc(48_000),
) {
  const sent: ConverseMessage[] = []
  const muted: number[] = []
  const state = { unplayedMs: 0 }
  const util = { cloneMessage: <T>(message: T) => message, generateId: () => 'id' }
  const filler = new Filler({
    kind,
    messages: conversationMessages({ util } as never, {} as ConverseMessage),
    send: (message) => void sent.push(message),
    unplayedMs: () => state.unplayedMs,
    mute: (durationMs) => void muted.push(durationMs),
    speakWord: word,
  })
  const bytes = () => sent.map(({ payload, stop }) => (stop ? 'stop' : (payload as Buffer).length))
  return { filler, sent, bytes, muted, state }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
/** A tone of 350 ms, and the end of its sequence. */
const tone = [16_800, 0]

describe('while a tool works', () => {
  it('a soft tone is heard after 1.5 s, and every 3 s', async () => {
    const { filler, bytes, sent, muted } = createFiller()
    filler.begin()
    await seconds(1.4)
    expect(bytes()).toEqual([])
    await seconds(0.2)
    expect(bytes()).toEqual(tone)
    expect(muted).toEqual([950])
    const samples = new Int16Array((sent[0]!.payload as Buffer).buffer.slice(0, 16_800))
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(2000)
    await seconds(3)
    expect(bytes()).toEqual([...tone, ...tone])
  })

  it('a word is heard once', async () => {
    const { filler, bytes, muted } = createFiller('word')
    filler.begin()
    await seconds(10)
    expect(bytes()).toEqual([48_000, 0])
    expect(muted).toEqual([1600])
  })

  it('a tone takes the place of a word that no voice can speak', async () => {
    const { filler, bytes } = createFiller('word', () => Promise.reject(new Error('no voice')))
    filler.begin()
    await seconds(2)
    expect(bytes()).toEqual(tone)
  })

  it('nothing is heard if the form says so, or if the tool is quick', async () => {
    const none = createFiller('none')
    none.filler.begin()
    const quick = createFiller()
    quick.filler.begin()
    await seconds(1.4)
    quick.filler.end()
    await seconds(10)
    expect([...none.bytes(), ...quick.bytes()]).toEqual([])
  })

  it('the model finishes what it says first', async () => {
    const { filler, bytes, state } = createFiller()
    state.unplayedMs = 2000
    filler.begin()
    await seconds(3)
    state.unplayedMs = 0
    expect(bytes()).toEqual([])
    await seconds(2.1)
    expect(bytes()).toEqual(tone)
  })
})

describe('the answer', () => {
  it('stops a sound that can still be heard', async () => {
    const { filler, bytes } = createFiller('word')
    filler.begin()
    await seconds(2)
    filler.stop()
    expect(bytes()).toEqual([48_000, 0, 'stop'])
    await seconds(10)
    expect(bytes()).toHaveLength(3)
  })

  it('stops nothing if the sound is over', async () => {
    const { filler, bytes } = createFiller('word')
    filler.begin()
    await seconds(9)
    filler.stop()
    expect(bytes()).toEqual([48_000, 0])
  })

  it('ends a word that is being made', async () => {
    let aborted: AbortSignal | undefined
    const slow = (signal: AbortSignal) => {
      aborted = signal
      return new Promise<Uint8Array>(() => {})
    }
    const { filler, bytes } = createFiller('word', slow)
    filler.begin()
    await seconds(2)
    filler.stop()
    await seconds(10)
    expect(aborted?.aborted).toBe(true)
    expect(bytes()).toEqual([])
  })
})
