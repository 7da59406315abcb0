import { ApiError, InputError, ParlandoError, TimeoutError } from '@parlando/core'
import { EngineError, type EngineErrorKind } from '../../errors/engine-error.ts'
import { BusyError, ServiceError } from '../../errors/service-error.ts'

/**
 * Maps a failure of the upstream service. If the request caused the failure, the caller gets the response of the
 * upstream. A wrong upstream key becomes an internal error, because the key of the caller was right.
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
  const message = `The upstream service, ${baseUrl}: ${(error as Error).message}`
  if (InputError.isInstance(error)) return new ServiceError('INVALID_ARGUMENT', message)
  if (ApiError.isInstance(error)) {
    const { code, status, retryAfterMs } = error
    if (status < 400 || status > 599) {
      const unexpected = `The upstream service, ${baseUrl}, responds with status ${status}. Check --upstream; redirects are not followed`
      return new ServiceError('INTERNAL', unexpected, 502)
    }
    if (code !== 'UNAUTHENTICATED' && code !== 'PERMISSION_DENIED') {
      return status === 429 && retryAfterMs !== undefined
        ? new BusyError(message, Math.ceil(retryAfterMs / 1000))
        : new ServiceError(code, message, status)
    }
    const rejected = `The upstream service, ${baseUrl}, rejects the key of this service (${status}). Check --upstream-key`
    return new ServiceError('INTERNAL', rejected, 502)
  }
  if (TimeoutError.isInstance(error)) return new ServiceError('DEADLINE_EXCEEDED', message)
  if (ParlandoError.isInstance(error) && error.retryable)
    return new ServiceError('UNAVAILABLE', message)
  return new ServiceError('INTERNAL', message, 502)
}
