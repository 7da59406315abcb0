import { type StatusCode, statusCodes } from '@parlando/core/wire'

// Messages quote parts of requests, and a body may have any number of misspelt fields.
const maxMessageCharacters = 2000

/** An error response. Any code that serves a request may throw it; the app sends it. */
export class ServiceError extends Error {
  readonly code: StatusCode
  readonly httpStatus: number

  /** @param httpStatus Default: the status of the code. */
  constructor(
    code: StatusCode,
    message: string,
    httpStatus: number = statusCodes[code].httpStatus,
  ) {
    super(message.slice(0, maxMessageCharacters))
    this.code = code
    this.httpStatus = httpStatus
  }

  /** Headers of the response. */
  get headers(): Record<string, string> {
    return {}
  }

  /** The error body of the protocol. */
  get body(): { code: number; message: string; details: unknown[] } {
    return { code: statusCodes[this.code].number, message: this.message, details: [] }
  }

  /**
   * The HTTP status below `/v1/`. Clients of the OpenAI API repeat a request after any 5xx, which is of no use if the service
   * does not support the request.
   */
  get openAiStatus(): number {
    const isUnsupported = this.httpStatus === statusCodes.UNIMPLEMENTED.httpStatus
    return isUnsupported ? 400 : this.httpStatus
  }

  /** The error body in the OpenAI format, for all paths below `/v1/`. */
  get openAiBody(): { error: { message: string; type: string; param: null; code: string } } {
    const type = openAiTypes[this.code] ?? 'server_error'
    const code = this.code.toLowerCase()
    return { error: { message: this.message, type, param: null, code } }
  }
}

/** Rejects a request because of the current load. The response says when to try again. */
export class BusyError extends ServiceError {
  readonly retryAfterSeconds: number

  constructor(
    message: string,
    retryAfterSeconds: number,
    code: 'RESOURCE_EXHAUSTED' | 'UNAVAILABLE' = 'RESOURCE_EXHAUSTED',
  ) {
    super(code, message)
    this.retryAfterSeconds = retryAfterSeconds
  }

  override get headers() {
    return { 'retry-after': `${this.retryAfterSeconds}` }
  }
}

/** @param problem such as `3 recordings are already being transcribed`. @param retryAfterSeconds Default: 1, *in a moment*. */
export function tooBusy(problem: string, retryAfterSeconds = 1): BusyError {
  const when = retryAfterSeconds > 1 ? `in ${retryAfterSeconds} s` : 'in a moment'
  return new BusyError(`${problem}; try again ${when}`, retryAfterSeconds)
}

/** Rejects a request because its path has other methods. */
export class MethodError extends ServiceError {
  readonly #allowed: readonly string[]

  constructor(method: string, path: string, allowed: readonly string[]) {
    super('UNIMPLEMENTED', `${path} does not support ${method}; use ${allowed.join(' or ')}`, 405)
    this.#allowed = allowed
  }

  override get headers() {
    return { allow: this.#allowed.join(', ') }
  }
}

const openAiTypes: Partial<Record<StatusCode, string>> = {
  INVALID_ARGUMENT: 'invalid_request_error',
  NOT_FOUND: 'invalid_request_error',
  UNIMPLEMENTED: 'invalid_request_error',
  UNAUTHENTICATED: 'authentication_error',
  RESOURCE_EXHAUSTED: 'rate_limit_error',
}
