import { ParlandoError } from '../errors.ts'

/** Limits the number of concurrent calls. Further calls wait in order of arrival. */
export interface CallLimiter {
  /**
   * Waits until the call may run. @returns a function that ends the call; further calls of it have no effect.
   * @throws the signal's reason if it is aborted; ParlandoError `TOO_MANY_CALLS` if the queue is full.
   */
  acquire(signal: AbortSignal | undefined): Promise<() => void>
}

const maxQueued = 10_000

export function createCallLimiter(maxConcurrent: number): CallLimiter {
  const waiting = new Set<() => void>()
  let running = 0

  const release = () => {
    running -= 1
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next()
  }

  const takeTurn = (): (() => void) => {
    running += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      release()
    }
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted()
      if (running < maxConcurrent) return takeTurn()
      if (waiting.size >= maxQueued) {
        const message = `The queue of ${maxQueued} calls is full: raise maxConcurrent, or make fewer calls`
        throw new ParlandoError(message, { code: 'TOO_MANY_CALLS', retryable: true })
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', abandon)
          resolve(takeTurn())
        }
        const abandon = () => {
          waiting.delete(start)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abandon, { once: true })
        waiting.add(start)
      })
    },
  }
}
