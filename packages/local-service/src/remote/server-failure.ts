import { codeOfHttpStatus, createRedactor, parseJson } from '@parlando/core/wire'
import { EngineError } from '../errors/engine-error.ts'
import { BusyError, ServiceError } from '../errors/service-error.ts'
import { problemText, readErrorText } from './read-response.ts'

/** A server that the service uses, as its errors name it. */
export interface ServerName {
  /** The subject of a sentence, such as `The recognition server, http://127.0.0.1:8000/v1,`. */
  subject: string
  /** The option with its address, such as `--transcription-upstream`. */
  option: string
  /** Removed from everything that the server sends. Default: none. */
  apiKey?: string
}

// A server sends the body of an error together with the status, so a short time limit is enough.
const errorLimits = { maxBytes: 64 * 1024, timeLimitMs: 2_000 }

/** Converts an error response of a server to the response that the caller of this service gets. */
export async function readFailure(response: Response, server: ServerName): Promise<ServiceError> {
  const { status } = response
  const body = await readErrorBody(response, server)
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const failure = ownersFailure(response, server) ?? failureOf(status, body, server)
  const isBusy = status === 429 && retryAfterSeconds >= 0
  return isBusy ? new BusyError(failure.message, retryAfterSeconds) : failure
}

/** @returns the body of an error, parsed if it is JSON, without the key. */
export async function readErrorBody(
  response: Response,
  { apiKey = '' }: ServerName,
): Promise<unknown> {
  const text = createRedactor([apiKey])(await readErrorText(response, errorLimits))
  return parseJson(text) ?? text
}

/** @returns the failure that only the owner of this service can mend: a wrong address or key. */
export function ownersFailure(
  { status }: Response,
  { subject, option }: ServerName,
): ServiceError | undefined {
  if (!codeOfHttpStatus(status)) {
    const message = `${subject} sent the unexpected status ${status}; redirects are not followed. Check ${option}`
    return new ServiceError('INTERNAL', message, 502)
  }
  if (status !== 401 && status !== 403) return undefined
  const message = `${subject} rejects the key of this service (${status}). Check ${option}-key`
  return new ServiceError('INTERNAL', message, 502)
}

/** The failure with the reason in the body. */
export function failureOf(status: number, body: unknown, { subject }: ServerName): ServiceError {
  const reason = problemText(body)
  const message = `${subject} failed with status ${status}${reason && `: ${reason}`}`
  return new ServiceError(codeOfHttpStatus(status) ?? 'INTERNAL', message, status)
}

/** The failure to connect to a server. */
export function unreachable(error: unknown, { subject, option }: ServerName): ServiceError {
  const message = `${subject} cannot be reached (${causeOf(error)}). Check that it runs, and the address given by ${option}`
  return new ServiceError('UNAVAILABLE', message)
}

/**
 * Converts the failure of a call. A `ServiceError` becomes the response to the caller; any other error means that the
 * server cannot be reached.
 * @param lateAfterMs the time limit, if it is the cause.
 */
export function toEngineError(
  error: unknown,
  server: ServerName,
  lateAfterMs?: number,
): EngineError {
  if (error instanceof EngineError) return error
  if (lateAfterMs !== undefined) {
    const message = `${server.subject} took longer than ${lateAfterMs / 1000} s`
    return new EngineError('timeout', message, { cause: error })
  }
  if (error instanceof ServiceError) {
    const { httpStatus, message } = error
    const kind = httpStatus < 500 && httpStatus !== 429 ? 'input' : 'unavailable'
    return new EngineError(kind, message, { response: error })
  }
  const response = unreachable(error, server)
  return new EngineError('unavailable', response.message, { cause: error, response })
}

/** The code or the message of a failed connection, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string {
  const { message, code, cause } = error as NodeJS.ErrnoException
  const inner = cause as NodeJS.ErrnoException | undefined
  return inner?.code || code || inner?.message || message || 'unknown'
}
