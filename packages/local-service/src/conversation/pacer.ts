import { setTimeout as wait } from 'node:timers/promises'
import { hasUnspacedScript } from '@parlando/core/text'

/** The time of a session. Tests have their own. */
export interface Clock {
  /** In milliseconds. */
  now(): number
  /** Resolves after this time. Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
}

/**
 * Delays the audio of a response, so that the service sends it only a little faster than the client plays it. When the
 * user interrupts, little audio has been sent that nobody will hear, and the service knows what was heard.
 */
export interface Pacer {
  /**
   * Waits until audio of this length may be sent.
   * @throws the reason of the signal after an abort.
   */
  admit(durationMs: number): Promise<void>
  /** Holds the audio back: the user may be interrupting. */
  pause(): void
  resume(): void
  readonly isPaused: boolean
  /** How long a client still plays what it has received. */
  readonly unplayedMs: number
  /** How much a client has played that plays what it receives at once, and stops when the user speaks. */
  readonly playedMs: number
}

/** Audio that the client has received but not played. It bridges delays of the network and of the service. */
const aheadMs = 500

export function createPacer(clock: Clock, signal: AbortSignal): Pacer {
  let sentMs = 0
  /** When the client has played what was sent. */
  let endsAtMs = Number.NEGATIVE_INFINITY
  let pausedAtMs: number | undefined
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })

  const waitForResume = () => new Promise<void>((resolve) => (wake = resolve))
  const unplayedMs = () => Math.max(0, endsAtMs - (pausedAtMs ?? clock.now()))

  return {
    async admit(durationMs) {
      for (;;) {
        signal.throwIfAborted()
        const excessMs = unplayedMs() - aheadMs
        if (pausedAtMs !== undefined) await waitForResume()
        else if (excessMs > 0) await clock.wait(excessMs, signal)
        else break
      }
      endsAtMs = Math.max(endsAtMs, clock.now()) + durationMs
      sentMs += durationMs
    },
    pause() {
      pausedAtMs ??= clock.now()
    },
    resume() {
      if (pausedAtMs === undefined) return
      endsAtMs += clock.now() - pausedAtMs
      pausedAtMs = undefined
      wake()
    },
    get isPaused() {
      return pausedAtMs !== undefined
    },
    get unplayedMs() {
      return unplayedMs()
    },
    get playedMs() {
      return sentMs - unplayedMs()
    },
  }
}

/** The text of a response and the time at which each sentence is spoken. */
export interface SpokenText {
  addSentence(text: string): void
  /** Adds audio to the latest sentence. */
  addAudio(durationMs: number): void
  /** The latest sentence has all its audio. */
  end(): void
  readonly durationMs: number
  readonly text: string
  /** The text that is spoken before this time. Within a sentence, it is estimated from the length of the text. */
  textUntil(ms: number): string
}

interface Sentence {
  text: string
  startMs: number
}

/** How long a sentence takes whose audio is not complete. */
const characterMs = 65

export function createSpokenText(): SpokenText {
  const sentences: Sentence[] = []
  let durationMs = 0
  let isComplete = false
  const heardPart = ({ text, startMs }: Sentence, index: number, ms: number): string => {
    const expectedMs = isComplete ? 0 : startMs + text.length * characterMs
    const endMs = sentences[index + 1]?.startMs ?? Math.max(durationMs, expectedMs)
    return ms >= endMs ? text : cutAtWord(text, Math.max(0, ms - startMs) / (endMs - startMs))
  }
  return {
    addSentence: (text) => void sentences.push({ text, startMs: durationMs }),
    addAudio(ms) {
      durationMs += ms
    },
    end() {
      isComplete = true
    },
    get durationMs() {
      return durationMs
    },
    get text() {
      return sentences.map(({ text }) => text).join(' ')
    },
    textUntil(ms) {
      const parts = sentences.map((sentence, index) => heardPart(sentence, index, ms))
      return parts.filter((part) => part !== '').join(' ')
    },
  }
}

/** @returns the beginning of the text without a partial word, unless its script has no spaces. */
function cutAtWord(text: string, share: number): string {
  const end = Math.floor(text.length * share)
  if (hasUnspacedScript(text)) return text.slice(0, end)
  return text.slice(0, Math.max(0, text.lastIndexOf(' ', end)))
}
