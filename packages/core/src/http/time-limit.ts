import { clearImmediate, setImmediate } from 'node:timers'
import type { TimeoutError } from '../errors.ts'

/**
 * A time limit for the successive waits of one attempt.
 *
 * It uses timers of Node. undici checks its own limits only every half second, so a limit of 300 ms would take up to a
 * second, and Bun ignores them.
 */
export class TimeLimit {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #ending: NodeJS.Immediate | undefined
  #isSuspended = false

  readonly #aborts: AbortSignal | undefined

  /** @param aborts also aborts the attempt. `AbortSignal.any` would cost each stream another kilobyte of memory. */
  constructor(aborts?: AbortSignal) {
    this.#aborts = aborts
    aborts?.addEventListener('abort', this.#abort)
    if (aborts?.aborted) this.#abort()
  }

  readonly #abort = () => this.#controller.abort(this.#aborts?.reason)

  /** Aborted with the error of the wait that took too long, or for the reason of the given signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * Starts a wait, which replaces the one before.
   * @param isIdle checked when the time has passed: if it returns true, nobody waits, and the wait begins again.
   */
  start(milliseconds: number, error: () => TimeoutError, isIdle = () => false): void {
    this.#clear()
    this.#timer = setTimeout(() => {
      // A process that was busy runs its timers before it reads what has arrived meanwhile.
      this.#ending = setImmediate(() => {
        if (this.#isSuspended || isIdle()) this.#timer?.refresh()
        else this.#controller.abort(error())
      })
    }, milliseconds)
  }

  /** Begins the current wait again, also after `suspend`. */
  renew(): void {
    this.#isSuspended = false
    clearImmediate(this.#ending)
    this.#timer?.refresh()
  }

  /** Keeps the current wait from ending. */
  suspend(): void {
    this.#isSuspended = true
  }

  end(): void {
    this.#aborts?.removeEventListener('abort', this.#abort)
    this.#clear()
    this.#timer = undefined
  }

  #clear(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#ending)
  }
}

/** Combines signals: the result aborts as soon as one of them does. @returns `undefined` if no signal is given. */
export function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/**
 * The result of work that may notice an abort late.
 * @throws the signal's reason as soon as it is aborted. The result of the work is then dropped.
 */
export async function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
