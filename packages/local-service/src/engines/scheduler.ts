import { BusyError } from '../errors.ts'

export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** Of a later phrase: when its listener will have heard all that was made, on the clock of `performance.now()`. */
  neededAtMs?(): number
  signal: AbortSignal
  run(): Promise<Result>
}

export interface Scheduler {
  /**
   * Runs the task when its turn comes.
   * @throws {BusyError} when it is a first phrase and too much waits already; a request that has
   * begun is not refused any more. The signal's reason when it is aborted before its turn.
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

// Where more is asked for than can be made, first phrases alone would take all the time there is. A listener who has
// been in silence for this long in the middle goes before who has just come.
const patienceMs = 250

/**
 * Lets `slots` tasks run at a time. First phrases go before later ones, in order of arrival; of the later ones, that
 * goes first whose listener runs out of sound first. So a long text does not hold up others: it is soon far ahead of
 * its listener.
 */
export function createScheduler(slots: number, maxWaiting = 200): Scheduler {
  const waiting = new Set<Waiting>()
  let running = 0

  const startNext = () => {
    while (running < slots && waiting.size > 0) {
      const next = mostUrgent(waiting)
      waiting.delete(next)
      running += 1
      next.start()
    }
  }

  const turn = ({ isFirst, neededAtMs, signal }: Task<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const cameAtMs = performance.now()
      const leave = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry: Waiting = {
        isFirst,
        // A listener who was slow to take the sound is not owed what was not made meanwhile.
        neededAtMs: () =>
          isFirst ? cameAtMs - patienceMs : Math.max(cameAtMs, neededAtMs?.() ?? cameAtMs),
        start() {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(entry)
      startNext()
    })

  return {
    async schedule(task) {
      task.signal.throwIfAborted()
      if (task.isFirst && running >= slots && waiting.size >= maxWaiting)
        throw tooMuch(waiting.size)
      await turn(task)
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

/** Of equals, the one that came first. */
function mostUrgent(waiting: Iterable<Waiting>): Waiting {
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

function tooMuch(waiting: number): BusyError {
  const message = `${waiting} phrases of others wait to be spoken already; ask again in a moment`
  return new BusyError(message, 1)
}
