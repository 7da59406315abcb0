import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ApiError, ParlandoError } from '../errors.ts'
import type { CallLimiter } from './call-limiter.ts'
import type { Call, ResolvedOptions, RetryInfo } from './client-options.ts'
import type { Connections } from './dispatcher.ts'
import { networkError, type RequestFacts } from './response-errors.ts'
import { anySignal, TimeLimit } from './time-limit.ts'
import { codeOf, createTrace, type DebugEvent, notify, type Trace } from './trace.ts'

/** `safe`: the request can be repeated. `unless-received`: only if the service cannot have received it. */
export type RetryRule = 'safe' | 'unless-received'

const firstDelayMs = 500

// These errors occur before anything is sent.
const neverReceived = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

interface Retried {
  call: Call
  options: ResolvedOptions
  /** Default `safe`. */
  rule?: RetryRule
  /** Checked after a failure, for a request that must not be repeated once it has delivered something. */
  mayRetry?(): boolean
  /** Aborted when the client is closed. */
  closing: AbortSignal
}

/**
 * Makes up to `maxRetries` + 1 attempts until one succeeds.
 * @throws the error of the last attempt, or the signal's reason if it is aborted between two attempts. If the client is
 * closed during a wait, the next attempt follows at once and fails because the client is closed.
 */
export async function withRetries<Result>(
  attemptOnce: () => Promise<Result>,
  retried: Retried,
): Promise<Result> {
  const earlierErrors: ParlandoError[] = []
  for (;;) {
    try {
      return await attemptOnce()
    } catch (error) {
      await waitForRetry(error, earlierErrors, retried)
    }
  }
}

/**
 * Waits before the next attempt. Not a part of `withRetries`, because a running stream keeps the variables of that function
 * in memory.
 * @throws the error if it is the last one.
 */
async function waitForRetry(
  error: unknown,
  earlierErrors: ParlandoError[],
  { call, options, rule = 'safe', mayRetry = () => true, closing }: Retried,
): Promise<void> {
  const attempt = earlierErrors.length + 1
  const deadline = call.deadline()
  if (ParlandoError.isInstance(error) && attempt > 1) error.earlierErrors = [...earlierErrors]
  if (attempt > call.maxRetries || !mayRetry() || !isWorthRetrying(error, rule)) throw error
  const delayMs = delayAfter(error, attempt, options.maxRetryDelayMs)
  // Reporting the error is better than a longer silence.
  if (delayMs > options.maxRetryDelayMs) throw error
  earlierErrors.push(error)
  const info: RetryInfo = { what: call.what, attempt, delayMs, error }
  notify(options.onRetry, info)
  notify(call.onRetry, info)
  try {
    await setTimeout(delayMs, undefined, { signal: anySignal(call.signal, deadline, closing) })
  } catch {
    if (call.signal?.aborted) throw call.signal.reason
    if (deadline?.aborted) throw error
  }
}

function isWorthRetrying(error: unknown, rule: RetryRule): error is ParlandoError {
  if (!ParlandoError.isInstance(error) || !error.retryable) return false
  return rule === 'safe' || wasNeverReceived(error)
}

/** Whether there was no connection, so the service cannot have received the request. */
export function wasNeverReceived({ cause }: ParlandoError): boolean {
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && neverReceived.has(code)
}

/**
 * The delay that the service asks for. Otherwise exponential back-off up to the limit, with a random reduction of up to
 * one half, so that clients do not retry at the same moment.
 */
function delayAfter(error: ParlandoError, attempt: number, maxDelayMs: number): number {
  if (ApiError.isInstance(error) && error.retryAfterMs !== undefined) return error.retryAfterMs
  const fullDelayMs = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs)
  return Math.round(fullDelayMs * (1 - Math.random() / 2))
}

/** The parts of a client that its attempts share. */
export interface AttemptContext {
  options: ResolvedOptions
  baseUrl: string
  connections: Connections
  limiter: CallLimiter
  /** Aborted when the client is closed. */
  closing: AbortSignal
}

/** One attempt of a call: a request and its response, or a socket from its handshake to its end. */
export class Attempt {
  readonly facts: RequestFacts
  /** Its signal also aborts for the reasons of the call. */
  readonly timeLimit: TimeLimit
  readonly trace: Trace
  readonly #limiter: CallLimiter
  readonly #aborts: AbortSignal | undefined
  #leave = () => {}

  /** @param aborts the signals that end the attempt. */
  constructor(
    { options, baseUrl, connections, limiter, closing }: AttemptContext,
    request: Pick<DebugEvent, 'method' | 'path'>,
    call: Call,
    aborts: AbortSignal | undefined,
  ) {
    const { what } = call
    const { mayUseProxy } = connections
    const requestId = randomUUID()
    this.#limiter = limiter
    this.#aborts = aborts
    this.timeLimit = new TimeLimit(aborts)
    const { signal: timeLimit } = this.timeLimit
    this.facts = { what, call, timeLimit, mayUseProxy, closing, baseUrl, requestId, options }
    this.trace = createTrace({ ...request, what }, requestId, options.debug)
  }

  /** Waits until the attempt may run. @throws the reason of an abort. */
  async begin(): Promise<void> {
    this.#leave = await this.#limiter.acquire(this.#aborts)
    this.trace.request()
  }

  /** Lets the next call run. */
  leave(): void {
    this.#leave()
  }

  /** Releases what the attempt holds. */
  readonly release = () => {
    this.timeLimit.end()
    this.#leave()
  }

  /** Ends the attempt. @returns the error for a failure before the response. */
  fail(cause: unknown): unknown {
    const error = networkError(this.facts, cause, 'before the response')
    this.release()
    this.trace.end(codeOf(error))
    return error
  }
}
