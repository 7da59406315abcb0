import type { StatusCode } from './wire/problem.ts'

/** Stable names of what can go wrong. An `ApiError` has the code of the service. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | ConnectionError['code']
  | 'TIMEOUT'
  | ProtocolError['code']
  | 'TOO_MANY_CALLS'
  | StatusCode

interface ErrorFacts<Code extends ErrorCode = ErrorCode> {
  code: Code
  /** Whether the same call may succeed when it is made again. */
  retryable: boolean
  /** The `X-Request-Id` of the request. */
  requestId?: string
  cause?: unknown
}

/** Base of all errors of this package. Never contains the key, a text or audio. */
export class ParlandoError extends Error {
  override name = 'ParlandoError'
  readonly code: ErrorCode
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean
  /** The `X-Request-Id` of the request; `undefined` when nothing was sent. */
  readonly requestId: string | undefined
  /** The errors of the attempts before this one, oldest first; absent unless the client retried the call. */
  declare earlierErrors?: readonly ParlandoError[]

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.retryable = facts.retryable
    this.requestId = facts.requestId
  }

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static isInstance(value: unknown): value is ParlandoError {
    return isMarked(value, 'ParlandoError')
  }
}

/** The request or an option is not valid. Thrown before any I/O. */
export class InputError extends ParlandoError {
  override name = 'InputError'
  declare readonly code: 'INVALID_INPUT'
  /** Each problem as a phrase that names the field, such as `voiceId is missing`. */
  readonly problems: readonly string[]

  constructor(message: string, problems: readonly string[] = [message]) {
    super(message, { code: 'INVALID_INPUT', retryable: false })
    this.problems = problems
  }

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static override isInstance(value: unknown): value is InputError {
    return isMarked(value, 'InputError')
  }
}

/** There is no response (`NOT_REACHABLE`), or the connection was lost during it (`CONNECTION_LOST`). */
export class ConnectionError extends ParlandoError {
  override name = 'ConnectionError'
  declare readonly code: 'NOT_REACHABLE' | 'CONNECTION_LOST'

  constructor(message: string, facts: ErrorFacts<ConnectionError['code']>) {
    super(message, facts)
  }

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static override isInstance(value: unknown): value is ConnectionError {
    return isMarked(value, 'ConnectionError')
  }
}

/** A time limit of the client passed. */
export class TimeoutError extends ParlandoError {
  override name = 'TimeoutError'
  declare readonly code: 'TIMEOUT'
  /** What the client waited for. */
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

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static override isInstance(value: unknown): value is TimeoutError {
    return isMarked(value, 'TimeoutError')
  }
}

/** The service responded with an error, at once or in the middle of a stream. */
export class ApiError extends ParlandoError {
  override name = 'ApiError'
  declare readonly code: StatusCode
  /** The HTTP status; inside a stream, the one that goes with the code. */
  readonly status: number
  /** How long the service asks to wait (`Retry-After`), if it does. */
  readonly retryAfterMs: number | undefined
  /** Whether the message quotes a body that is not in the error format of a service, such as the page of another server. */
  readonly quotesPage: boolean

  constructor(
    message: string,
    facts: ErrorFacts<StatusCode> & {
      status: number
      retryAfterMs?: number
      /** Default: false. */
      quotesPage?: boolean
    },
  ) {
    super(message, facts)
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
    this.quotesPage = facts.quotesPage ?? false
  }

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static override isInstance(value: unknown): value is ApiError {
    return isMarked(value, 'ApiError')
  }
}

/** The response violates the protocol or a size limit of the client. */
export class ProtocolError extends ParlandoError {
  override name = 'ProtocolError'
  declare readonly code: 'BAD_RESPONSE' | 'LINE_TOO_LONG' | 'RESPONSE_TOO_LARGE' | 'NO_AUDIO'

  constructor(message: string, facts: { code: ProtocolError['code']; requestId?: string }) {
    super(message, { ...facts, retryable: false })
  }

  /** Like `instanceof`, but also true for an error of another installed copy of this package. */
  static override isInstance(value: unknown): value is ProtocolError {
    return isMarked(value, 'ProtocolError')
  }
}

// Trap: a class that names itself in its body gets another name when it is bundled, which logs would show.
mark(ParlandoError, 'ParlandoError')
mark(InputError, 'InputError')
mark(ConnectionError, 'ConnectionError')
mark(TimeoutError, 'TimeoutError')
mark(ApiError, 'ApiError')
mark(ProtocolError, 'ProtocolError')

/** Marks a class by a symbol that all copies of this package share, in any realm. */
function mark(errorClass: { prototype: object }, name: string): void {
  Object.defineProperty(errorClass.prototype, Symbol.for(`parlando.${name}`), { value: true })
}

function isMarked(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Symbol.for(`parlando.${name}`) in value
}
