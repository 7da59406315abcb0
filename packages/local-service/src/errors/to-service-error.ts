import type { StatusCode } from '@parlando/core/wire'
import { EngineError, type EngineErrorKind } from './engine-error.ts'
import { ServiceError } from './service-error.ts'

const codeOfKind: Readonly<Record<EngineErrorKind, StatusCode>> = {
  unavailable: 'UNAVAILABLE',
  input: 'INVALID_ARGUMENT',
  timeout: 'DEADLINE_EXCEEDED',
}

/** Maps any error to an error response. An unforeseen error keeps its message to the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof EngineError) {
    return error.response ?? new ServiceError(codeOfKind[error.kind], error.message)
  }
  if (isStoreAway(error)) {
    return new ServiceError('UNAVAILABLE', 'The store (--store) is away; try again later')
  }
  return new ServiceError('INTERNAL', 'The local service failed; see its log for the cause')
}

/** Whether the service or an engine caused the error, rather than the request or an upstream service. */
export function isServiceFault(error: unknown): boolean {
  if (error instanceof EngineError) return error.kind !== 'input' && !error.response
  return !(error instanceof ServiceError) && !isStoreAway(error)
}

/** Whether the store that services share cannot be reached, which it reports itself. */
export function isStoreAway(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'STORE_AWAY'
}
