import { ApiError, ConnectionError, ParlandoError, TimeoutError } from '../errors.ts'
import { badResponse, type RequestName } from '../protocol-errors.ts'
import { parseJson } from '../wire/decode.ts'
import { codeOfHttpStatus, readProblem, type StatusCode, statusCodes } from '../wire/problem.ts'
import { createRedactor } from '../wire/redact.ts'
import type { Call, ResolvedOptions } from './client-options.ts'

export interface RequestFacts extends Required<RequestName> {
  call: Call
  /** Aborted with the error of a wait that took too long, or for the reason of another abort. */
  timeLimit: AbortSignal
  /** Whether a proxy may be between client and service. */
  mayUseProxy: boolean
  /** Aborted when the client is closed. */
  closing: AbortSignal
  baseUrl: string
  options: ResolvedOptions
}

const advice: Partial<Record<StatusCode, string>> = {
  UNAUTHENTICATED: 'Check the key',
  PERMISSION_DENIED: 'The key is known but not allowed to do this',
  RESOURCE_EXHAUSTED: 'Too much at once or a limit is used up: wait, then try again',
  UNAVAILABLE: 'The service is busy or being changed: try again later',
}

const maxCharacters = 300

// White space, and what could change how a terminal or a log shows the text around it.
const unprintable = /[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu

const retryableStatuses = new Set([408, 409, 429])
// Permanent, although their statuses are retryable.
const permanentCodes = new Set<StatusCode>(['ALREADY_EXISTS', 'UNIMPLEMENTED'])

/** The error for a response whose status is not 2xx. */
export function responseError(
  facts: RequestFacts,
  response: { status: number; body: string; retryAfter: string | undefined },
): ApiError {
  const { status, body } = response
  const json = parseJson(body)
  const problem = readProblem(json ?? body)
  const stated = codeOfNumber(problem.code)
  const code = stated ?? codeOfHttpStatus(status) ?? 'UNKNOWN'
  // A service may send a code with a different status; the code says what happened.
  const isKnown = stated !== undefined && stated !== 'UNKNOWN'
  const retryable = isRetryable(code, isKnown ? statusCodes[code].httpStatus : status)
  const retryAfterMs = readRetryAfter(response.retryAfter)
  const message = problem.message || body
  const quotesPage = json === undefined || problem.message === ''
  return apiError(facts, { code, status, retryable, message, quotesPage, retryAfterMs })
}

/** The error for an `error` line inside a stream; `error.code` is a gRPC number. */
export function streamError(facts: RequestFacts, line: unknown): ApiError {
  const problem = readProblem(line)
  const code = codeOfNumber(problem.code) ?? 'UNKNOWN'
  const status = statusCodes[code].httpStatus
  const retryable = isRetryable(code, status)
  return apiError(facts, { code, status, retryable, message: problem.message })
}

function isRetryable(code: StatusCode, status: number): boolean {
  return !permanentCodes.has(code) && (status >= 500 || retryableStatuses.has(status))
}

function apiError(
  facts: RequestFacts,
  response: Pick<ApiError, 'status' | 'retryable' | 'message'> & {
    code: StatusCode
    quotesPage?: boolean
    retryAfterMs?: number
  },
): ApiError {
  const { code, status, retryable, message: reported, quotesPage, retryAfterMs } = response
  const hint = code === 'NOT_FOUND' ? adviceOnPath(facts.baseUrl) : advice[code]
  const { apiKey } = facts.options
  // A message may be about markup, so only a page loses its tags.
  const isPage = quotesPage === true && /^\s*</.test(reported)
  const text = errorBodyText({ message: reported, isPage, apiKey, headers: facts.call.headers })
  const rejection = `${facts.what} rejected (${status} ${code})${text && `: ${text.trimEnd()}`}`
  // The sentence of the service may end with a mark of its own.
  const end = /[.!?…。！？]$/.test(rejection) ? '' : '.'
  const message = hint ? `${rejection}${end} ${hint}` : rejection
  return new ApiError(message, {
    code,
    status,
    retryable,
    requestId: facts.requestId,
    retryAfterMs,
    quotesPage,
  })
}

/** The message of an error body on one line: without secrets, without the tags of an HTML page, and cut short. */
export function errorBodyText(error: {
  message: string
  /** Whether the body is an HTML page, such as a proxy sends. */
  isPage: boolean
  apiKey: string
  headers: Readonly<Record<string, string>>
}): string {
  const { message, isPage, apiKey, headers } = error
  // Unparsable bodies are quoted verbatim, so the secret may be escaped.
  const text = createRedactor([apiKey, ...Object.values(headers)])(message)
  // [^<>] keeps this linear: with [^>], each `<` would scan to the end again.
  return (isPage ? text.replace(/<[^<>]*>/g, ' ') : text)
    .replace(unprintable, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, maxCharacters)
}

/** Reads `Retry-After`, seconds or a date. @returns milliseconds from now, or `undefined`. */
export function readRetryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000
  // Trap: Date.parse also accepts -1 and 1,5, as dates in the past. HTTP dates begin with the day of the week.
  const time = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now())
}

/** Addresses of other APIs end in `/v1`; then no path of this client exists. */
function adviceOnPath(baseUrl: string): string | undefined {
  const shorter = baseUrl.replace(/\/v1$/i, '')
  return shorter === baseUrl ? undefined : `Try the address without /v1: ${shorter}`
}

/** The error for a request without a response, or with only part of one. Aborts and our own errors pass through. */
export function networkError(
  facts: RequestFacts,
  cause: unknown,
  when: 'before the response' | 'during the response',
): unknown {
  const { what, call, requestId, closing, timeLimit } = facts
  if (call.deadline()?.aborted && !call.signal?.aborted) return tookTooLong(call, requestId)
  // Trap: the connection may have failed earlier, before anything read from it.
  if (call.signal?.aborted) return call.signal.reason
  if (ParlandoError.isInstance(cause)) return cause
  if (TimeoutError.isInstance(timeLimit.reason)) return timeLimit.reason
  const code = String((cause as { code?: unknown } | null)?.code ?? '')
  const shared = { requestId, cause: withoutData(cause) }
  if (code === 'UND_ERR_DESTROYED' || closing.aborted) {
    const message = `${what} failed: the client is closed; make a new one`
    return new ConnectionError(message, { ...shared, code: 'NOT_REACHABLE', retryable: false })
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return waitedTooLong(facts, 'connection', facts.options.connectTimeoutMs, cause)
  }
  if (isInvalidCompression(code)) {
    return badResponse(facts, 'the response is not compressed as its Content-Encoding says')
  }
  const failure =
    when === 'during the response' ? lostConnection(facts) : noResponse(facts, code, cause)
  return new ConnectionError(failure.message, { ...shared, code: failure.code, retryable: true })
}

/** The error for a call that exceeds its `timeoutMs`. */
export function tookTooLong({ what, timeoutMs = 0 }: Call, requestId?: string): TimeoutError {
  const message = `${what} failed: it took longer than the limit of ${timeoutMs} ms`
  return new TimeoutError(message, { phase: 'total', timeoutMs, requestId, retryable: false })
}

/** The error for a limit that passed during a wait. */
export function waitedTooLong(
  { what, baseUrl, requestId }: RequestFacts,
  awaited: 'connection' | 'first byte' | 'next byte',
  timeoutMs: number,
  cause?: unknown,
): TimeoutError {
  const phase = awaited === 'connection' ? 'connect' : awaited
  const message = `${what} failed: waited ${timeoutMs} ms for the ${awaited} from ${baseUrl}`
  return new TimeoutError(message, { phase, timeoutMs, requestId, cause, retryable: true })
}

function lostConnection({ what, baseUrl }: RequestFacts) {
  const message = `${what} broke off: the connection to ${baseUrl} was lost`
  return { code: 'CONNECTION_LOST', message } as const
}

function noResponse({ what, baseUrl, mayUseProxy }: RequestFacts, code: string, cause: unknown) {
  // undici states the status of a proxy only in the message of its error.
  const [, proxyStatus] = /^Proxy response \((\d+)\)/.exec(String((cause as Error)?.message)) ?? []
  if (proxyStatus) {
    const advice =
      proxyStatus === '407' ? ': write its name and password as http://name:password@host:port' : ''
    const message = `${what} failed: the proxy in HTTPS_PROXY or HTTP_PROXY responded with ${proxyStatus}${advice}`
    return { code: 'NOT_REACHABLE', message } as const
  }
  const reason = code && ` (${code})`
  const proxy = mayUseProxy ? '; also check the proxy in HTTPS_PROXY or HTTP_PROXY' : ''
  const message = `${what} failed: no response from ${baseUrl}${reason}. Check the address and that the service is running${proxy}`
  return { code: 'NOT_REACHABLE', message } as const
}

/** undici keeps unparsable bytes in `error.data`; they may echo the text or the key. */
function withoutData(cause: unknown): unknown {
  if (!(cause instanceof Error && 'data' in cause)) return cause
  const { name, message, stack, code } = cause as NodeJS.ErrnoException
  return Object.assign(new Error(message), { name, stack, code })
}

/** Whether zlib, brotli or zstd reports invalid bytes, as opposed to bytes that end too early. */
function isInvalidCompression(code: string): boolean {
  return /^(Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT|ZSTD_error_)/.test(code)
}

function codeOfNumber(number: number | undefined): StatusCode | undefined {
  const names = Object.keys(statusCodes) as StatusCode[]
  return names.find((name) => statusCodes[name].number === number)
}
