import { type StatusCode, statusCodes } from '@parlando/core/wire'
import { EngineFailure } from './engines/engine.ts'

// What is wrong may be named as it came, and a body may have any number of misspelt fields.
const longestMessageCharacters = 2000

/** An answer that is an error: thrown anywhere while a request is served, sent by the app. */
export class ServiceError extends Error {
  readonly code: StatusCode
  readonly httpStatus: number

  /** @param httpStatus default: the one that goes with the code. */
  constructor(
    code: StatusCode,
    message: string,
    httpStatus: number = statusCodes[code].httpStatus,
  ) {
    super(message.slice(0, longestMessageCharacters))
    this.code = code
    this.httpStatus = httpStatus
  }

  /** The error body of the protocol. */
  get body(): { code: number; message: string; details: unknown[] } {
    return { code: statusCodes[this.code].number, message: this.message, details: [] }
  }

  /** The error body of the OpenAI form, which all paths below `/v1/` have. */
  get openAiBody(): { error: { message: string; type: string; param: null; code: string } } {
    const type = openAiTypes[this.code] ?? 'server_error'
    const code = this.code.toLowerCase()
    return { error: { message: this.message, type, param: null, code } }
  }
}

/** Refuses what is too much for the moment; the answer says when to ask again. */
export class BusyError extends ServiceError {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super('RESOURCE_EXHAUSTED', message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const openAiTypes: Partial<Record<StatusCode, string>> = {
  INVALID_ARGUMENT: 'invalid_request_error',
  NOT_FOUND: 'invalid_request_error',
  UNIMPLEMENTED: 'invalid_request_error',
  UNAUTHENTICATED: 'authentication_error',
  RESOURCE_EXHAUSTED: 'rate_limit_error',
}

/** Any error as an answer; what nobody foresaw says no more than that. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof EngineFailure) return new ServiceError('UNAVAILABLE', error.message)
  return new ServiceError('INTERNAL', 'The local service failed; its log says why')
}
