import { z } from 'zod'
import { InputError } from './errors.ts'

// Keeps the message readable: the input may have any number of problems, and keys of any length.
const maxProblems = 5
const maxProblemCharacters = 200

/** A callback. */
export function functionSchema<Event>() {
  return z.custom<(event: Event) => void>(
    (value) => typeof value === 'function',
    'must be a function',
  )
}

/** Parses input of a caller. @throws {InputError} naming the fields that are not valid, never their values. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeMissing })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const problems = issues.slice(0, maxProblems).map(({ path, message }) => {
    const problem = path.length > 0 ? `${path.join('.')}: ${message}` : message
    return problem.length > maxProblemCharacters
      ? `${problem.slice(0, maxProblemCharacters)}…`
      : problem
  })
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more`)
  throw new InputError(`${what} not valid: ${problems.join('; ')}`)
}

function describeMissing({ code, input }: { code: string; input: unknown }): string | undefined {
  return code === 'invalid_type' && input === undefined ? 'is missing' : undefined
}
