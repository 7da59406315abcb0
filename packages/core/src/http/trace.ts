import { channel } from 'node:diagnostics_channel'
import { type ErrorCode, ParlandoError } from '../errors.ts'

/** An event of a request, for debugging. It never contains text, audio or the key. */
export type DebugEvent = {
  requestId: string
  /** The purpose of the request, such as `Speech`. */
  what: string
  method: string
  /** Without the query. */
  path: string
  /** Time since the start of the request. */
  elapsedMs: number
} & (
  | { type: 'request' }
  | { type: 'first-byte'; status: number }
  /**
   * `code`: the error code if the request failed; `ABORTED` if a signal or an early exit from the loop cancelled it. Absent
   * on success, even if the complete body later fails validation.
   */
  | { type: 'end'; code?: ErrorCode }
)

export interface Trace {
  request(): void
  firstByte(status: number): void
  end(code?: ErrorCode): void
}

const noTrace: Trace = { request() {}, firstByte() {}, end() {} }

/** Reports the events of one request. Only the first `end` is reported. */
export function createTrace(
  request: Pick<DebugEvent, 'what' | 'method' | 'path'>,
  requestId: string,
  debug: ((event: DebugEvent) => void) | undefined,
): Trace {
  if (!debug) return noTrace
  const startedAt = performance.now()
  let hasEnded = false
  const { what, method, path } = request
  const shared = () => ({
    requestId,
    what,
    method,
    path,
    elapsedMs: performance.now() - startedAt,
  })
  return {
    request: () => notify(debug, { ...shared(), type: 'request' }),
    firstByte: (status) => notify(debug, { ...shared(), type: 'first-byte', status }),
    end(code) {
      if (hasEnded) return
      hasEnded = true
      notify(debug, { ...shared(), type: 'end', ...(code && { code }) })
    },
  }
}

/** The code of an error of a call. An error of another package is the reason of an abort. */
export function codeOf(error: unknown): ErrorCode {
  return ParlandoError.isInstance(error) ? error.code : 'ABORTED'
}

/**
 * Calls a user callback. If it throws, the process emits a warning: an exception here would fail the request or,
 * where nothing catches it, end the process.
 */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/** What `@opentelemetry/api` registers with. As long as nothing has registered, the package is not even loaded. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** An instrumentation of undici sends these headers itself, and a second `traceparent` would make both invalid. */
const undiciRequests = channel('undici:request:create')

// https://www.w3.org/TR/trace-context/. Baggage stays here: it may contain anything, and the service may be foreign.
const sentHeaders = ['traceparent', 'tracestate']

/** @returns the headers with which the service continues the trace of the caller; none where no span is active. */
export async function traceHeaders(): Promise<Record<string, string>> {
  if (!(registered in globalThis) || undiciRequests.hasSubscribers) return {}
  const api = await import('@opentelemetry/api').catch(() => undefined)
  const headers: Record<string, string> = {}
  api?.propagation.inject(api.context.active(), headers)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => sentHeaders.includes(name)))
}
