import { z } from 'zod'
import { InputError } from './errors.ts'
import { parseInWords } from './wire/problems.ts'

// Keeps the message readable: the input may have any number of problems, and keys of any length.
const maxProblems = 5
const maxProblemCharacters = 200
// zod visits every place of a list, also an empty one: `new Array(2 ** 31)` would take all memory of the process.
const maxListLength = 100_000
/** Deeper than the lists of any request. */
const maxListDepth = 8

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
  rejectLongLists(input, what)
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

function rejectLongLists(input: unknown, what: string, depth = 0): void {
  if (typeof input !== 'object' || input === null || depth > maxListDepth) return
  if (Array.isArray(input) && input.length > maxListLength) {
    const problem = `a list has ${input.length} entries, at most ${maxListLength} are possible`
    throw new InputError(`${what} not valid: ${problem}`, [problem])
  }
  for (const child of childrenOf(input)) rejectLongLists(child, what, depth + 1)
}

/** The entries of a list or of a plain object. Getters, which may throw, are not called. */
function childrenOf(value: object): unknown[] {
  if (Array.isArray(value)) return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return []
  return Object.values(Object.getOwnPropertyDescriptors(value)).map((property) => property.value)
}
