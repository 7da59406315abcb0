import { z } from 'zod'
import { InputError } from './errors.ts'
import { parseInWords } from './wire/problems.ts'

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
  const parsed = parseInWords(schema, input)
  if ('data' in parsed) return parsed.data
  const problems = parsed.problems
    .slice(0, maxProblems)
    .map((problem) =>
      problem.length > maxProblemCharacters
        ? `${problem.slice(0, maxProblemCharacters)}…`
        : problem,
    )
  const left = parsed.problems.length - problems.length
  if (left > 0) problems.push(`and ${left} more`)
  throw new InputError(`${what} not valid: ${problems.join('; ')}`, problems)
}
