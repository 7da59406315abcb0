import { setTimeout as wait } from 'node:timers/promises'

/** The time of a session. Tests have their own. */
export interface Clock {
  /** The time in milliseconds. */
  now(): number
  /** Resolves after this time. Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
}
