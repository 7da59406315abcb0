import { BusyError } from '../errors.ts'

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

interface Waiting {
  isFirst: boolean
  neededAtMs(): number
  start(): void
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
  const waiting = new Set<Waiting>()
  let running = 0

  const startNext = () => {
    while (running < slots && waiting.size > 0) {
      const next = findMostUrgent(waiting)
      waiting.delete(next)
      running += 1
      next.start()
    }
  }

  const waitForTurn = ({ isFirst, neededAtMs, signal }: Task<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const arrivedAtMs = performance.now()
      const abort = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry: Waiting = {
        isFirst,
        // A listener who reads slowly gets no precedence for the time in which nothing was requested.
        neededAtMs: () =>
          isFirst ? arrivedAtMs - patienceMs : Math.max(arrivedAtMs, neededAtMs?.() ?? arrivedAtMs),
        start() {
          signal.removeEventListener('abort', abort)
          resolve()
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      waiting.add(entry)
      startNext()
    })

  return {
    async schedule(task) {
      task.signal.throwIfAborted()
      if (task.isFirst && running >= slots && waiting.size >= maxWaiting)
        throw overloaded(waiting.size)
      await waitForTurn(task)
      try {
        return await task.run()
      } finally {
        running -= 1
        startNext()
      }
    },
    get waiting() {
      return waiting.size
    },
    get running() {
      return running
    },
  }
}

/** Among equals, the first to arrive. */
function findMostUrgent(waiting: Iterable<Waiting>): Waiting {
  let best: Waiting | undefined
  let bestMs = 0
  for (const entry of waiting) {
    const neededAtMs = entry.neededAtMs()
    if (best && neededAtMs >= bestMs) continue
    best = entry
    bestMs = neededAtMs
  }
  return best!
}

function overloaded(waiting: number): BusyError {
  const message = `${waiting} phrases are already waiting to be spoken; try again in a moment`
  return new BusyError(message, 1)
}
