import { createSlots } from '../concurrency/slots.ts'
import { tooBusy } from '../errors/service-error.ts'

export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** For a later phrase: when its listener runs out of audio, in milliseconds of `performance.now()`. */
  neededAtMs?(): number
  signal: AbortSignal
  run(): Promise<Result>
}

export interface Scheduler {
  /**
   * Runs the task when its turn comes.
   * @throws {BusyError} if the task is a first phrase and too many tasks wait. Later phrases are always accepted, because
   * their request has already started. The signal's reason after an abort before the turn.
   */
  schedule<Result>(task: Task<Result>): Promise<Result>
  readonly waiting: number
  readonly running: number
}

// Under overload, first phrases would starve running streams. A stream that has been silent for this long takes
// precedence over a first phrase that arrives now.
const patienceMs = 250

/**
 * Runs at most `slots` tasks at a time. First phrases take precedence over later ones, in order of arrival. Among later
 * phrases, the one whose listener runs out of audio first is next. A long text is soon far ahead of its listener, so it
 * does not delay others.
 */
export function createScheduler(slots: number, maxWaiting = 200): Scheduler {
  const limiter = createSlots({
    slots,
    limit: {
      maxWaiting,
      toError: ({ waiting }) => tooBusy(`${waiting} phrases are already waiting to be spoken`),
    },
  })
  return {
    async schedule({ isFirst, neededAtMs, signal, run }) {
      const arrivedAtMs = performance.now()
      const release = await limiter.acquire(signal, {
        isAccepted: !isFirst,
        // A listener who reads slowly gets no precedence for the time in which nothing was requested.
        neededAtMs: () =>
          isFirst ? arrivedAtMs - patienceMs : Math.max(arrivedAtMs, neededAtMs?.() ?? arrivedAtMs),
      })
      try {
        return await run()
      } finally {
        release()
      }
    },
    get waiting() {
      return limiter.waiting
    },
    get running() {
      return limiter.running
    },
  }
}
