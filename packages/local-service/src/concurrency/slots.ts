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
  readonly waiting: number
  readonly running: number
}

export interface WaitOptions {
  /** The work that is needed first is next; among equals, the first to arrive. Default: order of arrival. */
  neededAtMs?(): number
  /** Whether the work waits even if too much does. Default: no. */
  isAccepted?: boolean
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
  neededAtMs(): number
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
      findFirst(waiting)?.start()
    }
  }
  const rejectWhenFull = () => {
    if (running < slots || !limit || waiting.size < limit.maxWaiting) return
    throw limit.toError({ running, waiting: waiting.size })
  }

  return {
    rejectWhenFull,
    async acquire(signal, { neededAtMs = () => 0, isAccepted = false } = {}) {
      signal.throwIfAborted()
      if (running < slots) return take()
      if (!isAccepted) rejectWhenFull()
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.delete(entry)
          reject(signal.reason)
        }
        const entry: Waiting = {
          neededAtMs,
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
  let firstMs = 0
  for (const entry of waiting) {
    const neededAtMs = entry.neededAtMs()
    if (first && neededAtMs >= firstMs) continue
    first = entry
    firstMs = neededAtMs
  }
  return first
}
