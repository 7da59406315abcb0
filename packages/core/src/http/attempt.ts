import { randomUUID } from 'node:crypto'
import type { Call } from './call.ts'
import type { Connections } from './dispatcher.ts'
import type { Limiter } from './limiter.ts'
import type { ResolvedOptions } from './options.ts'
import { networkError, type RequestFacts } from './response-errors.ts'
import { TimeLimit } from './time-limit.ts'
import { codeOf, createTrace, type DebugEvent, type Trace } from './trace.ts'

/** The parts of a client that its attempts share. */
export interface AttemptContext {
  options: ResolvedOptions
  baseUrl: string
  connections: Connections
  limiter: Limiter
  /** Aborted when the client is closed. */
  closing: AbortSignal
}

/** One attempt of a call: a request and its response, or a socket from its handshake to its end. */
export interface Attempt {
  facts: RequestFacts
  /** Its signal also aborts for the reasons of the call. */
  timeLimit: TimeLimit
  trace: Trace
  /** Waits until the attempt may run. @throws the reason of an abort. */
  begin(): Promise<void>
  /** Lets the next call run. */
  leave(): void
  /** Releases what the attempt holds. */
  release(): void
  /** Ends the attempt. @returns the error for a failure before the response. */
  fail(cause: unknown): unknown
}

/** @param aborts the signals that end the attempt. */
export function createAttempt(
  context: AttemptContext,
  request: Pick<DebugEvent, 'what' | 'method' | 'path'>,
  call: Call,
  aborts: AbortSignal | undefined,
): Attempt {
  const { options, baseUrl, connections, limiter, closing } = context
  const { what } = request
  const { mayUseProxy } = connections
  const requestId = randomUUID()
  const timeLimit = new TimeLimit(aborts)
  const { signal } = timeLimit
  const facts = { what, call, timeLimit: signal, mayUseProxy, closing, baseUrl, requestId, options }
  const trace = createTrace(request, requestId, options.debug)
  let leave = () => {}

  const release = () => {
    timeLimit.end()
    leave()
  }
  return {
    facts,
    timeLimit,
    trace,
    async begin() {
      leave = await limiter.acquire(aborts)
      trace.request()
    },
    leave: () => leave(),
    release,
    fail(cause) {
      const error = networkError(facts, cause, 'before the response')
      release()
      trace.end(codeOf(error))
      return error
    },
  }
}
