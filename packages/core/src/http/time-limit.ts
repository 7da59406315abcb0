import type { TimeoutError } from '../errors.ts'

/** A time limit for the successive waits of one attempt. */
export interface TimeLimit {
  /** Aborted with the error of the wait that took too long. */
  readonly signal: AbortSignal
  /**
   * Starts a wait, which replaces the one before.
   * @param isIdle checked when the time has passed: if it returns true, nobody waits, and the wait begins again.
   */
  start(milliseconds: number, error: () => TimeoutError, isIdle?: () => boolean): void
  /** Begins the current wait again, also after `suspend`. */
  renew(): void
  /** Keeps the current wait from ending. */
  suspend(): void
  end(): void
}

/**
 * Measures the limits with timers of Node. undici checks its own limits only every half second, so a limit of 300 ms
 * would take up to a second, and Bun ignores them.
 */
export function createTimeLimit(): TimeLimit {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isSuspended = false
  return {
    signal: controller.signal,
    start(milliseconds, error, isIdle = () => false) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (isSuspended || isIdle()) timer?.refresh()
        else controller.abort(error())
      }, milliseconds)
    },
    renew() {
      isSuspended = false
      timer?.refresh()
    },
    suspend() {
      isSuspended = true
    },
    end() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
