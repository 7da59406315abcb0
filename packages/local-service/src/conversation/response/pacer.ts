import type { Clock } from '../clock.ts'

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
