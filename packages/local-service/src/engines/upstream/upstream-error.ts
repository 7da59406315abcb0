import { ApiError, InputError, ParlandoError, TimeoutError } from '@parlando/core'
import { BusyError, EngineError, type EngineErrorKind, ServiceError } from '../../errors.ts'

/**
 * Maps a failure of the server behind this one. Where the request is to blame, the caller gets the response of that
 * server; the caller never reads that a key was wrong, since its own was right.
 */
export function toUpstreamError(error: unknown, baseUrl: string): EngineError {
  const response = toResponse(error, baseUrl)
  return new EngineError(kindOf(response), response.message, { cause: error, response })
}

function kindOf({ code, httpStatus }: ServiceError): EngineErrorKind {
  if (code === 'DEADLINE_EXCEEDED') return 'timeout'
  return httpStatus < 500 && httpStatus !== 429 ? 'input' : 'unavailable'
}

function toResponse(error: unknown, baseUrl: string): ServiceError {
  const message = `The server behind this one, ${baseUrl}: ${(error as Error).message}`
  if (InputError.isInstance(error)) return new ServiceError('INVALID_ARGUMENT', message)
  if (ApiError.isInstance(error)) {
    const { code, status, retryAfterMs } = error
    if (status < 400 || status > 599) {
      const unexpected = `The server behind this one, ${baseUrl}, responds with status ${status}. Check --upstream; redirects are not followed`
      return new ServiceError('INTERNAL', unexpected, 502)
    }
    if (code !== 'UNAUTHENTICATED' && code !== 'PERMISSION_DENIED') {
      return status === 429 && retryAfterMs !== undefined
        ? new BusyError(message, Math.ceil(retryAfterMs / 1000))
        : new ServiceError(code, message, status)
    }
    const rejected = `The server behind this one, ${baseUrl}, rejects the key of this service (${status}). Check --upstream-key`
    return new ServiceError('INTERNAL', rejected, 502)
  }
  if (TimeoutError.isInstance(error)) return new ServiceError('DEADLINE_EXCEEDED', message)
  if (ParlandoError.isInstance(error) && error.retryable)
    return new ServiceError('UNAVAILABLE', message)
  return new ServiceError('INTERNAL', message, 502)
}
