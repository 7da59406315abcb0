import { BusyError } from './errors.ts'

/** Limits how much work runs in parallel. Other work waits. */
export interface Slots {
  /** @throws {BusyError} if too much work waits. */
  rejectWhenFull(): void
  /**
   * Waits for a free slot.
   * @returns a function that releases the slot; only its first call has an effect.
   * @throws {BusyError} if too much work waits. After an abort, the signal's reason.
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
  maxWaiting: number
  /** Such as `3 recordings are already being transcribed`. */
  describe(counts: { running: number; waiting: number }): string
  /** For callers that are rejected. Default: 1, *in a moment*. */
  retryAfterSeconds?: number
}

interface Waiting {
  neededAtMs(): number
  start(): void
}

export function createSlots(options: SlotsOptions): Slots {
  const { slots, maxWaiting, describe, retryAfterSeconds = 1 } = options
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
    if (running < slots || waiting.size < maxWaiting) return
    const when = retryAfterSeconds > 1 ? `in ${retryAfterSeconds} s` : 'in a moment'
    const problem = describe({ running, waiting: waiting.size })
    throw new BusyError(`${problem}; try again ${when}`, retryAfterSeconds)
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
