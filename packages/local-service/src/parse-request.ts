import type { z } from 'zod'
import { Refusal } from './refusal.ts'

/** @throws {Refusal} naming every field that is wrong, never its value. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(request)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new Refusal('INVALID_ARGUMENT', problems.join('; '))
}
