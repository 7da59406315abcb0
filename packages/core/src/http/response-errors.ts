import { ApiError, ConnectionError, ParlandoError, ProtocolError, TimeoutError } from '../errors.ts'
import type { ResolvedOptions } from '../options.ts'
import { codeOfHttpStatus, readProblem, type StatusCode, statusCodes } from '../wire/problem.ts'
import type { Call } from './call.ts'
import { errorBodyText } from './redact.ts'
import { readRetryAfter } from './retry.ts'

export interface RequestFacts {
  what: string
  call: Call
  firstByteTimeoutMs: number
  baseUrl: string
  requestId: string
  options: ResolvedOptions
}

const advice: Partial<Record<StatusCode, string>> = {
  UNAUTHENTICATED: 'Check the key',
  PERMISSION_DENIED: 'The key is known but not allowed to do this',
  RESOURCE_EXHAUSTED: 'Too much at once or a limit is used up: wait, then try again',
  UNAVAILABLE: 'The service is busy or being changed: try again later',
}

const retryableStatuses = new Set([408, 409, 429])
// Their statuses are among those that may pass; they do not.
const lastingCodes = new Set<StatusCode>(['ALREADY_EXISTS', 'UNIMPLEMENTED'])

/** The error for an answer whose status is not 2xx. */
export function responseError(
  facts: RequestFacts,
  response: { status: number; body: string; retryAfter: string | undefined },
): ApiError {
  const { status, body } = response
  const problem = readProblem(parseJson(body))
  const stated = codeOfNumber(problem.code)
  const code = stated ?? codeOfHttpStatus(status) ?? 'UNKNOWN'
  // A service may send a code with another status than its own, and it is the code that says what happened.
  const isKnown = stated !== undefined && stated !== 'UNKNOWN'
  const retryable = mayPass(code, isKnown ? statusCodes[code].httpStatus : status)
  const retryAfterMs = readRetryAfter(response.retryAfter)
  const message = problem.message || body
  // What a refusal states may be about markup, so a page alone loses its tags.
  const isPage = /^\s*</.test(body)
  return apiError(facts, { code, status, retryable, message, isPage, retryAfterMs })
}

/** The error for an `error` line inside a stream; `error.code` is a gRPC number. */
export function streamError(facts: RequestFacts, line: unknown): ApiError {
  const problem = readProblem(line)
  const code = codeOfNumber(problem.code) ?? 'UNKNOWN'
  const status = statusCodes[code].httpStatus
  const retryable = mayPass(code, status)
  return apiError(facts, { code, status, retryable, message: problem.message })
}

function mayPass(code: StatusCode, status: number): boolean {
  return !lastingCodes.has(code) && (status >= 500 || retryableStatuses.has(status))
}

function apiError(
  facts: RequestFacts,
  response: Pick<ApiError, 'status' | 'retryable' | 'message'> & {
    code: StatusCode
    isPage?: boolean
    retryAfterMs?: number
  },
): ApiError {
  const { code, status, retryable, message: said, isPage = false } = response
  const told = errorBodyText({ message: said, isPage, apiKey: facts.options.apiKey })
  const message = [`${facts.what} refused (${status} ${code})${told && `: ${told}`}`, advice[code]]
  return new ApiError(message.filter(Boolean).join('. '), {
    code,
    status,
    retryable,
    requestId: facts.requestId,
    retryAfterMs: response.retryAfterMs,
  })
}

/** The error for a call that got no answer or only part of one. An abort and our own errors pass through. */
export function networkError(
  facts: RequestFacts,
  cause: unknown,
  when: 'before the answer' | 'inside the answer',
): unknown {
  const { what, call, requestId, baseUrl, options } = facts
  if (call.deadline()?.aborted && !call.signal?.aborted) {
    const timeoutMs = call.timeoutMs ?? 0
    const message = `${what} failed: it took longer than the ${timeoutMs} ms that it may take`
    return new TimeoutError(message, { phase: 'total', timeoutMs, requestId, retryable: false })
  }
  // Trap: the connection may have failed before, and nobody was there to hear of it.
  if (call.signal?.aborted) return call.signal.reason
  if (ParlandoError.isInstance(cause)) return cause
  // What is no HTTP is kept there, and may be a text or the key said back.
  if (cause instanceof Error && 'data' in cause) delete cause.data
  const timeout = {
    UND_ERR_CONNECT_TIMEOUT: { phase: 'connect', timeoutMs: options.connectTimeoutMs },
    UND_ERR_HEADERS_TIMEOUT: {
      phase: 'first byte',
      timeoutMs: facts.firstByteTimeoutMs,
    },
    UND_ERR_BODY_TIMEOUT: { phase: 'next byte', timeoutMs: options.silenceTimeoutMs },
  } as const
  const code = String((cause as { code?: unknown } | null)?.code ?? '')
  if (code in timeout) {
    const { phase, timeoutMs } = timeout[code as keyof typeof timeout]
    const waited = `waited ${timeoutMs} ms for the ${phase === 'connect' ? 'connection' : phase}`
    return new TimeoutError(`${what} failed: ${waited} from ${baseUrl}`, {
      phase,
      timeoutMs,
      requestId,
      cause,
      retryable: true,
    })
  }
  if (code === 'UND_ERR_DESTROYED') {
    const message = `${what} failed: the client is closed; make a new one`
    return new ConnectionError(message, {
      code: 'NOT_REACHABLE',
      requestId,
      cause,
      retryable: false,
    })
  }
  if (isBadlyPacked(code)) {
    const message = `${what} failed: the answer is not packed as its Content-Encoding says`
    return new ProtocolError(message, { code: 'BAD_RESPONSE', requestId })
  }
  if (when === 'inside the answer') {
    return new ConnectionError(`${what} broke off: the connection to ${baseUrl} was lost`, {
      code: 'CONNECTION_LOST',
      requestId,
      cause,
      retryable: true,
    })
  }
  const reason = code && ` (${code})`
  return new ConnectionError(
    `${what} failed: no answer from ${baseUrl}${reason}. Check the address and that the service runs`,
    { code: 'NOT_REACHABLE', requestId, cause, retryable: true },
  )
}

/** Whether zlib or brotli says so of bytes that make no sense, not of some that only end too early. */
function isBadlyPacked(code: string): boolean {
  return /^(Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT)/.test(code)
}

function codeOfNumber(number: number | undefined): StatusCode | undefined {
  const names = Object.keys(statusCodes) as StatusCode[]
  return names.find((name) => statusCodes[name].number === number)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
