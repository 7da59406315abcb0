import { setTimeout as wait } from 'node:timers/promises'

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

/** Watches for a user who says nothing after a response. */
export interface IdleTimer {
  /** Starts, also when it is running. @param playbackMs how long the client still plays the response. */
  start(idleMs: number, playbackMs: number): void
  stop(): void
}

export interface IdleTimerOptions {
  clock: Clock
  /** Called when the client has played the response. The idle time begins. */
  onPlayed(): void
  /** Called when the idle time has passed. */
  onIdle(): void
}

export function createIdleTimer({ clock, onPlayed, onIdle }: IdleTimerOptions): IdleTimer {
  let running = new AbortController()
  const run = async (idleMs: number, playbackMs: number, signal: AbortSignal) => {
    const passes = (ms: number) =>
      clock.wait(ms, signal).then(
        () => true,
        () => false,
      )
    if (!(await passes(playbackMs))) return
    onPlayed()
    if (await passes(idleMs)) onIdle()
  }
  return {
    start(idleMs, playbackMs) {
      running.abort()
      running = new AbortController()
      void run(idleMs, playbackMs, running.signal)
    },
    stop: () => running.abort(),
  }
}
