import { setTimeout } from 'node:timers/promises'
import { ApiError, ParlandoError } from '../errors.ts'
import type { ResolvedOptions } from '../options.ts'
import type { BegunCall } from './call-options.ts'
import { notify } from './notify.ts'
import { anySignal } from './signals.ts'

/** Told before the wait for another attempt. */
export interface RetryInfo {
  /** What is being done, such as `Speech`. */
  what: string
  /** The attempt that failed, from 1. */
  attempt: number
  /** How long until the next one. */
  delayMs: number
  error: ParlandoError
}

/** `safe`: asking twice does no harm. `unless-received`: only when the service cannot have got the first one. */
export type RetryRule = 'safe' | 'unless-received'

/** The attempts of one call, counted. */
export interface Attempts {
  /**
   * Decides about an attempt that failed and waits until it is time for the next.
   * @throws the error when there is to be no next one or time is up; the signal's reason when it is aborted meanwhile.
   * Where the client is closed it waits no longer: the next attempt fails at once and says so.
   */
  afterFailure(error: unknown): Promise<void>
}

const firstDelayMs = 500

// Before any of these, nothing was sent.
const neverReceived = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** @param closing is aborted when the client is closed. */
export function createAttempts(
  options: ResolvedOptions,
  call: BegunCall & { what: string; retry?: RetryRule },
  closing: AbortSignal,
): Attempts {
  const { what, retry = 'safe', signal, deadline } = call
  let attempt = 0
  return {
    async afterFailure(error) {
      attempt += 1
      if (attempt > options.retries || !mayTryAgain(error, retry)) throw error
      const delayMs = delayAfter(error, attempt, options.maxRetryDelayMs)
      // Better to tell the caller than to wait that long in silence.
      if (delayMs > options.maxRetryDelayMs) throw error
      const info: RetryInfo = { what, attempt, delayMs, error }
      notify(options.onRetry, info)
      notify(call.onRetry, info)
      try {
        await setTimeout(delayMs, undefined, { signal: anySignal(signal, deadline, closing) })
      } catch {
        if (signal?.aborted) throw signal.reason
        if (deadline?.aborted) throw error
      }
    },
  }
}

function mayTryAgain(error: unknown, rule: RetryRule): error is ParlandoError {
  if (!ParlandoError.isInstance(error) || !error.retryable) return false
  return rule === 'safe' || wasNeverReceived(error)
}

/** Whether there was no connection over which the service could have got the call. */
export function wasNeverReceived({ cause }: ParlandoError): boolean {
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && neverReceived.has(code)
}

/**
 * As long as the service asks for. Else twice as long after each failure, up to the limit, and by chance up to half of
 * that less, so that not all come back at once.
 */
function delayAfter(error: ParlandoError, attempt: number, maxDelayMs: number): number {
  if (error instanceof ApiError && error.retryAfterMs !== undefined) return error.retryAfterMs
  const fullDelayMs = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs)
  return Math.round(fullDelayMs * (1 - Math.random() / 2))
}

/** Reads `Retry-After`, seconds or a date. @returns milliseconds from now, or `undefined`. */
export function readRetryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000
  // Trap: -1 and 1,5 are parsed as dates as well, long ago. Those of HTTP begin with the day of the week.
  const time = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now())
}
