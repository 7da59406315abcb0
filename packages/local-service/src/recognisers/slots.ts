import { BusyError } from '../errors.ts'

/** Limits how many utterances run in parallel. The others wait, in the order of their arrival. */
export interface Slots {
  /** @throws {BusyError} if too many utterances wait. */
  rejectWhenFull(): void
  /**
   * Waits for a free slot.
   * @returns a function that releases the slot; only its first call has an effect.
   * @throws {BusyError} if too many utterances wait. After an abort, the signal's reason.
   */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSlots({ slots, maxWaiting }: { slots: number; maxWaiting: number }): Slots {
  const waiting = new Set<() => void>()
  let used = 0

  const take = (): (() => void) => {
    used += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      used -= 1
      const [next] = waiting
      next?.()
    }
  }

  const rejectWhenFull = () => {
    if (used < slots || waiting.size < maxWaiting) return
    const message = `${used + waiting.size} utterances are already being recognised; try again in a moment`
    throw new BusyError(message, 1)
  }

  return {
    rejectWhenFull,
    async acquire(signal) {
      signal.throwIfAborted()
      if (used < slots) return take()
      rejectWhenFull()
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.delete(start)
          reject(signal.reason)
        }
        const start = () => {
          waiting.delete(start)
          signal.removeEventListener('abort', abort)
          resolve(take())
        }
        waiting.add(start)
        signal.addEventListener('abort', abort, { once: true })
      })
    },
  }
}
