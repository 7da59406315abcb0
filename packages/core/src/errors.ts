import type { StatusCode } from './wire/problem.ts'

const brand = Symbol.for('parlando.error')

/** Stable names of what can go wrong; an answer of the service keeps the service's own name. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'NOT_REACHABLE'
  | 'CONNECTION_LOST'
  | 'TIMEOUT'
  | 'BAD_RESPONSE'
  | 'LINE_TOO_LONG'
  | 'RESPONSE_TOO_LARGE'
  | 'NO_AUDIO'
  | StatusCode

interface ErrorFacts {
  code: ErrorCode
  /** Whether the same call may succeed when it is made again. */
  retryable: boolean
  /** What was sent as `X-Request-Id`. */
  requestId?: string
  cause?: unknown
}

/** Base of all errors of this package. Never holds the key, a text or audio. */
export class ParlandoError extends Error {
  override name = 'ParlandoError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly requestId: string | undefined

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.retryable = facts.retryable
    this.requestId = facts.requestId
    Object.defineProperty(this, brand, { value: true })
  }

  /** Like `instanceof`, but also true for an error made by another installed copy of this package. */
  static isInstance(value: unknown): value is ParlandoError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** The caller's request is not valid. Thrown before any I/O. */
export class InputError extends ParlandoError {
  override name = 'InputError'

  constructor(message: string) {
    super(message, { code: 'INVALID_INPUT', retryable: false })
  }
}

/** No answer, or an answer that broke off. */
export class ConnectionError extends ParlandoError {
  override name = 'ConnectionError'

  constructor(
    message: string,
    facts: Omit<ErrorFacts, 'code'> & { code: 'NOT_REACHABLE' | 'CONNECTION_LOST' },
  ) {
    super(message, facts)
  }
}

/** A time limit of the client passed. */
export class TimeoutError extends ParlandoError {
  override name = 'TimeoutError'
  /** What was waited for. */
  readonly phase: 'connect' | 'first byte' | 'next byte' | 'total'
  readonly timeoutMs: number

  constructor(
    message: string,
    facts: Omit<ErrorFacts, 'code'> & { phase: TimeoutError['phase']; timeoutMs: number },
  ) {
    super(message, { ...facts, code: 'TIMEOUT' })
    this.phase = facts.phase
    this.timeoutMs = facts.timeoutMs
  }
}

/** The service answered with an error, at once or in the middle of a stream. */
export class ApiError extends ParlandoError {
  override name = 'ApiError'
  /** The HTTP status; inside a stream, the one that goes with the code. */
  readonly status: number
  /** How long the service asks to wait (`Retry-After`), if it does. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    facts: ErrorFacts & { code: StatusCode; status: number; retryAfterMs?: number },
  ) {
    super(message, facts)
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** The answer is not what the protocol says. */
export class ProtocolError extends ParlandoError {
  override name = 'ProtocolError'

  constructor(
    message: string,
    facts: {
      code: 'BAD_RESPONSE' | 'LINE_TOO_LONG' | 'RESPONSE_TOO_LARGE' | 'NO_AUDIO'
      requestId?: string
    },
  ) {
    super(message, { ...facts, retryable: false })
  }
}
