import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { hashedKeyOf } from '../../server/admission/caller.ts'

const maxCharacters = 255

/** The header with which a submission may be repeated, as OpenAPI describes it. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': {
    description:
      'Chosen by the caller, such as a UUID: while the operation of a request with the same key exists, the service returns that one',
    schema: { type: 'string', minLength: 1, maxLength: maxCharacters },
  },
}

/**
 * Reads the key of a submission. Callers with different keys of the service have different ones; the address of a caller may change
 * between two submissions.
 * @returns nothing without the header. @throws {ServiceError} if it is empty or too long.
 */
export function readIdempotencyKey(context: Context): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (key.length === 0 || key.length > maxCharacters) {
    const message = `Idempotency-Key: must have 1 to ${maxCharacters} characters`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  return `${hashedKeyOf(context)} ${key}`
}
