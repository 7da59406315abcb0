/** Limits how much work runs in parallel. Other work waits. */
export interface Slots {
  /** @throws {Error} of `toError` if too much work waits. */
  rejectWhenFull(): void
  /**
   * Waits for a free slot.
   * @returns a function that releases the slot; only its first call has an effect.
   * @throws {Error} of `toError` if too much work waits. After an abort, the signal's reason.
   */
  acquire(signal: AbortSignal, options?: WaitOptions): Promise<() => void>
  /** Starts work that may interrupt by now. */
  reconsider(): void
  readonly waiting: number
  readonly running: number
}

export interface WaitOptions {
  /** The work with the lowest rank is next: numbers that are compared one by one. Among equals, the first to arrive. */
  rank?(): readonly number[]
  /** Whether the work waits even if too much does. Default: no. */
  isAccepted?: boolean
  /** Whether the work may begin now although no slot is free. Default: no. */
  mayInterrupt?(): boolean
}

export interface SlotsOptions {
  slots: number
  /** Default: any amount of work waits. */
  limit?: {
    maxWaiting: number
    /** Rejects further work. */
    toError(counts: { running: number; waiting: number }): Error
  }
}

interface Waiting {
  rank(): readonly number[]
  mayInterrupt(): boolean
  start(): void
}

export function createSlots({ slots, limit }: SlotsOptions): Slots {
  const waiting = new Set<Waiting>()
  let running = 0

  const take = (): (() => void) => {
    running += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      running -= 1
      reconsider()
    }
  }
  const reconsider = () => {
    const first = waiting.size > 0 ? findFirst(waiting) : undefined
    if (first && (running < slots || first.mayInterrupt())) first.start()
  }
  const rejectWhenFull = () => {
    if (running < slots || !limit || waiting.size < limit.maxWaiting) return
    throw limit.toError({ running, waiting: waiting.size })
  }

  return {
    rejectWhenFull,
    reconsider,
    async acquire(
      signal,
      { rank = () => [], isAccepted = false, mayInterrupt = () => false } = {},
    ) {
      signal.throwIfAborted()
      if (running < slots || mayInterrupt()) return take()
      if (!isAccepted) rejectWhenFull()
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.delete(entry)
          reject(signal.reason)
        }
        const entry: Waiting = {
          rank,
          mayInterrupt,
          start() {
            waiting.delete(entry)
            signal.removeEventListener('abort', abort)
            resolve(take())
          },
        }
        waiting.add(entry)
        signal.addEventListener('abort', abort, { once: true })
      })
    },
    get waiting() {
      return waiting.size
    },
    get running() {
      return running
    },
  }
}

function findFirst(waiting: Iterable<Waiting>): Waiting | undefined {
  let first: Waiting | undefined
  let firstRank: readonly number[] = []
  for (const entry of waiting) {
    const rank = entry.rank()
    if (first && !isLower(rank, firstRank)) continue
    first = entry
    firstRank = rank
  }
  return first
}

/** Compares ranks number by number. */
export function isLower(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, place) => value !== other[place])
  return index >= 0 && one[index]! < other[index]!
}

/** Runs one task at a time, in the order of the calls. A task that fails does not stop the next one. */
export type Mutex = <Result>(task: () => Promise<Result>) => Promise<Result>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}
