import { parseInWords } from '@parlando/core/wire'
import type { z } from 'zod'
import { ServiceError } from '../errors.ts'

/** @throws {ServiceError} naming every invalid field, never its value, and for an unknown field the nearest known one. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = parseInWords(schema, request)
  if ('data' in parsed) return parsed.data
  throw new ServiceError('INVALID_ARGUMENT', parsed.problems.join('; '))
}
