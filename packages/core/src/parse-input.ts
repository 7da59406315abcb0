import type { z } from 'zod'
import { InputError } from './errors.ts'

/** Parses what a caller hands in. @throws {InputError} naming every field that is wrong, never its value. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeMissing })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new InputError(`${what} not valid: ${problems.join('; ')}`)
}

function describeMissing({ code, input }: { code: string; input: unknown }): string | undefined {
  return code === 'invalid_type' && input === undefined ? 'is missing' : undefined
}
