import { ParlandoError } from '../errors.ts'

/** Limits how many calls run at a time; the others wait in order of arrival. */
export interface Limiter {
  /**
   * Waits for a turn. @returns a function that ends the turn; calling it again does nothing.
   * @throws the signal's reason when it is aborted during the wait; ParlandoError `TOO_MANY_CALLS` when too many wait.
   */
  enter(signal: AbortSignal | undefined): Promise<() => void>
}

const maxQueued = 10_000

export function createLimiter(maxConcurrent: number): Limiter {
  const waiting = new Set<() => void>()
  let running = 0

  const leave = () => {
    running -= 1
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next()
  }

  const takeTurn = (): (() => void) => {
    running += 1
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      leave()
    }
  }

  return {
    async enter(signal) {
      signal?.throwIfAborted()
      if (running < maxConcurrent) return takeTurn()
      if (waiting.size >= maxQueued) {
        const message = `${maxQueued} calls wait for their turn already: raise maxConcurrent, or make fewer calls`
        throw new ParlandoError(message, {
          code: 'TOO_MANY_CALLS',
          retryable: true,
        })
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
