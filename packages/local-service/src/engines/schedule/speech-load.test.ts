import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AdmittedSpeech, createPlaybackClock, SpeechLoad } from './speech-load.ts'

const neverPlaying = { add() {}, lastsUntilMs: Number.POSITIVE_INFINITY }

/** A phrase of an engine that takes 1 ms for a letter, which plays 60 ms, if a phrase has 50 letters. */
const usualPhrase = { characters: 50, workMs: 50, playMs: 3000 }

/** An engine that has spoken twice. */
function open({ slots = 1, spoken = usualPhrase } = {}) {
  let nowMs = 0
  const load = new SpeechLoad(slots, () => nowMs)
  const want = (caller: string, characters = 600, change = {}) =>
    load.admit({ caller, voice: 'v', characters, clock: neverPlaying, ...change })
  const first = want('nobody', 100)
  for (const _ of [1, 2]) first.noteSpoken(spoken)
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
    // 52 % of a core are 23 first phrases in 2.25 s.
    expect(taken.length).toBe(23)
  })

  it('expects as much of a long text after greetings as after long phrases', () => {
    const greeting = { characters: 3, workMs: 10.8, playMs: 650 }
    expect(open({ spoken: greeting }).askUntilRejected('a').taken.length).toBe(23)
  })

  it('does not forget long phrases because of as many greetings', () => {
    const slow = { characters: 50, workMs: 150, playMs: 3000 }
    const { want, askUntilRejected } = open({ spoken: slow })
    const { taken: before } = askUntilRejected('a')
    endAll(before)
    const greeting = want('a', 3)
    for (const _ of [1, 2]) greeting.noteSpoken({ characters: 3, workMs: 1, playMs: 650 })
    greeting.end()
    expect(askUntilRejected('a').taken.length).toBeLessThan(1.5 * before.length)
  })

  it('takes on more with more slots', () => {
    expect(open({ slots: 2 }).askUntilRejected('a').taken.length).toBe(47)
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
    expect(other.taken.length).toBeGreaterThan(7)
    expect(greedy.taken.length + other.taken.length).toBe(31)
  })

  it('takes on the first text of each of four callers, also if a phrase took very long', () => {
    const { want, askUntilRejected } = open()
    const { taken } = askUntilRejected('greedy')
    taken[0]!.noteSpoken({ characters: 50, workMs: 5_000, playMs: 3_000 })
    for (const caller of ['two', 'three', 'four']) {
      expect(() => want(caller)).not.toThrow()
      expect(() => want(caller)).toThrow('one more would make gaps')
    }
    expect(() => want('five')).toThrow('one more would make gaps')
  })

  it('gives callers equal shares once both want more', () => {
    const { askUntilRejected } = open()
    const first = askUntilRejected('greedy')
    const other = askUntilRejected('other')
    endAll(first.taken)
    const again = askUntilRejected('greedy')
    expect(again.taken.length).toBe(15)
    endAll(other.taken)
    expect(askUntilRejected('other').taken.length).toBe(15)
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
    expect(askUntilRejected('a').taken.length).toBe(31)
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

it('a listener who ran out of audio goes on when there is more', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = createPlaybackClock()
  expect(clock.lastsUntilMs).toBe(Number.POSITIVE_INFINITY)
  const startedAtMs = performance.now()
  clock.add(1)
  clock.add(0.5)
  expect(clock.lastsUntilMs - startedAtMs).toBe(1_500)
  vi.advanceTimersByTime(2_000)
  clock.add(1)
  expect(clock.lastsUntilMs - startedAtMs).toBe(3_000)
})
