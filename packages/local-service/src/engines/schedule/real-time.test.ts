import { describe, expect, it } from 'vitest'
import { afterWork, type Demand, keepsRealTime } from './real-time.ts'

/** A listener of ten seconds of speech, each of which takes the engine a tenth of a second. */
const listener = (change: Partial<Demand> = {}): Demand => ({
  leadMs: 2000,
  workMs: 1000,
  phraseMs: 100,
  playMs: 10_000,
  ...change,
})
const listeners = (count: number) => Array.from({ length: count }, () => listener())

describe('keepsRealTime', () => {
  it('accepts nobody more than as many listeners as the engine is times as fast as playback', () => {
    const slow = { workMs: 10_000, phraseMs: 0 }
    expect(keepsRealTime([listener(slow)], 1)).toBe(true)
    expect(keepsRealTime([listener(slow), listener(slow)], 1)).toBe(false)
    expect(keepsRealTime([listener(slow), listener(slow)], 2)).toBe(true)
  })

  it('accepts listeners who together need more than the engine does, if they have enough audio before', () => {
    expect(keepsRealTime(listeners(12), 1)).toBe(true)
    expect(keepsRealTime(listeners(24), 1)).toBe(false)
  })

  it('rejects more next phrases than fit before the audio ends', () => {
    const urgent = (count: number) =>
      Array.from({ length: count }, () => listener({ leadMs: 300, workMs: 100 }))
    expect(keepsRealTime(urgent(6), 1)).toBe(true)
    expect(keepsRealTime(urgent(7), 1)).toBe(false)
  })

  it('accepts a listener without a text', () => {
    expect(keepsRealTime([listener({ workMs: 0, playMs: 0 })], 1)).toBe(true)
  })
})

describe('afterWork', () => {
  it('leaves out whose text is made, and works for the most urgent first', () => {
    const [soon, late] = [listener({ leadMs: 500 }), listener({ leadMs: 5000 })]
    expect(afterWork([late, soon], 1, 1500)).toEqual([
      { ...late, leadMs: 5000 + 5000 - 1500, workMs: 500, playMs: 5000 },
    ])
  })

  it('lets the audio of those run out for whom it has no time', () => {
    const [first, second] = [listener({ leadMs: 100 }), listener({ leadMs: 200 })]
    const left = afterWork([first, second], 1, 400)
    expect(left.map(({ leadMs }) => leadMs)).toEqual([100 + 4000 - 400, 0])
  })
})
