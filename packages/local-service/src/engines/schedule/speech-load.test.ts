import { describe, expect, it } from 'vitest'
import { type AdmittedSpeech, SpeechLoad } from './speech-load.ts'

const neverPlaying = { add() {}, lastsUntilMs: Number.POSITIVE_INFINITY }

/** An engine whose voice takes 1 ms for a letter, which plays 60 ms; its phrases have 50 letters. */
function open({ slots = 1 } = {}) {
  let nowMs = 0
  const load = new SpeechLoad(slots, () => nowMs)
  const want = (caller: string, characters = 600, change = {}) =>
    load.admit({ caller, voice: 'v', characters, clock: neverPlaying, ...change })
  const first = want('nobody', 100)
  for (const _ of [1, 2]) first.noteSpoken({ characters: 50, workMs: 50, playMs: 3000 })
  first.end()
  /** Lets a caller ask until it is rejected. @returns what it got, and the error. */
  const askUntilRejected = (caller: string) => {
    const taken: AdmittedSpeech[] = []
    for (;;) {
      try {
        taken.push(want(caller))
      } catch (error) {
        return { taken, error: error as { code: string; retryAfterSeconds: number } }
      }
    }
  }
  return { load, want, askUntilRejected, pass: (ms: number) => (nowMs += ms) }
}

const endAll = (taken: readonly AdmittedSpeech[]) => {
  for (const speech of taken) speech.end()
}

describe('SpeechLoad', () => {
  it('rejects the text that would make gaps, and says when to come back', () => {
    const { load, askUntilRejected } = open()
    const { taken, error } = askUntilRejected('a')
    expect(error.code).toBe('RESOURCE_EXHAUSTED')
    expect(load.admitted).toBe(taken.length)
    // 67 % of a core are 30 first phrases in 2.25 s.
    expect(taken.length).toBe(30)
  })

  it('takes on more with more slots', () => {
    expect(open({ slots: 2 }).askUntilRejected('a').taken.length).toBe(60)
  })

  it('names a time after which it takes on the text', () => {
    const { want, askUntilRejected, pass } = open()
    const { taken, error } = askUntilRejected('a')
    const { retryAfterSeconds } = error
    expect(retryAfterSeconds).toBeGreaterThan(0)
    // The engine has worked as fast as it was measured.
    const doneTexts = Math.floor((retryAfterSeconds * 1000 * 0.9) / 600)
    endAll(taken.slice(0, doneTexts))
    pass(retryAfterSeconds * 1000)
    expect(() => want('a')).not.toThrow()
  })

  it('names later times to those who are rejected later', () => {
    const { want, askUntilRejected } = open()
    askUntilRejected('a')
    const times = Array.from({ length: 40 }, () => {
      try {
        want('a')
        return 0
      } catch (error) {
        return (error as { retryAfterSeconds: number }).retryAfterSeconds
      }
    })
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.at(-1)).toBeGreaterThan(1.5 * times[0]!)
  })

  it('leaves room for another caller beside one who wants everything', () => {
    const { askUntilRejected } = open()
    const greedy = askUntilRejected('greedy')
    const other = askUntilRejected('other')
    expect(other.taken.length).toBeGreaterThan(8)
    expect(greedy.taken.length + other.taken.length).toBe(40)
  })

  it('gives callers equal shares once both want more', () => {
    const { askUntilRejected } = open()
    const first = askUntilRejected('greedy')
    const other = askUntilRejected('other')
    endAll(first.taken)
    const again = askUntilRejected('greedy')
    expect(again.taken.length).toBe(20)
    endAll(other.taken)
    expect(askUntilRejected('other').taken.length).toBe(20)
  })

  it('takes on what continues that which somebody hears, and four texts at a time in any case', () => {
    const { want, askUntilRejected } = open()
    const { taken } = askUntilRejected('a')
    expect(() => want('a', 600, { isContinued: true }).end()).not.toThrow()
    endAll(taken)
    for (let texts = 0; texts < 4; texts++) want('a', 100_000)
  })

  it('gives a caller everything if there was no other one for a minute', () => {
    const { askUntilRejected, pass } = open()
    pass(61_000)
    expect(askUntilRejected('a').taken.length).toBe(40)
  })

  it('measures a voice again when it becomes slower', () => {
    const { want, askUntilRejected } = open()
    const fast = askUntilRejected('a')
    endAll(fast.taken)
    const slow = want('a')
    for (let phrase = 0; phrase < 20; phrase++) {
      slow.noteSpoken({ characters: 50, workMs: 500, playMs: 3000 })
    }
    slow.end()
    expect(askUntilRejected('a').taken.length).toBeLessThan(5)
  })
})
