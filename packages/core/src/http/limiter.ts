import { ParlandoError } from '../errors.ts'

/** Limits how many calls run at a time; the others wait in order of arrival. */
export interface Limiter {
  /**
   * Waits for a turn. @returns what gives it back; calling it again does nothing.
   * @throws the signal's reason when it is aborted meanwhile; a ParlandoError when too many wait.
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
        throw new ParlandoError(`More than ${maxQueued} calls wait for their turn`, {
          code: 'RESOURCE_EXHAUSTED',
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
