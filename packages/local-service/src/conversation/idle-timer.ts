import type { Clock } from './clock.ts'

/** Watches for a user who says nothing after a response. */
export interface IdleTimer {
  /** Starts, also when it is running. @param playbackMs how long the client still plays the response. */
  start(idleMs: number, playbackMs: number): void
  stop(): void
}

interface IdleTimerOptions {
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
