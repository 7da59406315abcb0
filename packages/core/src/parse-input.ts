import { z } from 'zod'
import { InputError } from './errors.ts'
import { parseInWords } from './wire/parse-in-words.ts'

// Keeps the message readable: the input may have any number of problems, and keys of any length.
const maxProblems = 5
const maxProblemCharacters = 200
// zod visits every place of a list, also an empty one: `new Array(2 ** 31)` would take all memory of the process. It visits
// every member of an object too, and a Buffer of 5 MB is one with five million: that takes seconds.
const maxListLength = 100_000
const maxMembers = 10_000
/** Deeper than the lists of any request. */
const maxListDepth = 8

/** A callback. */
export function functionSchema<Event>() {
  return z.custom<(event: Event) => void>(
    (value) => typeof value === 'function',
    'must be a function',
  )
}

/**
 * Parses input of a caller.
 * @param mayHoldBytes whether the input can contain the bytes of files.
 * @throws {InputError} naming the fields that are not valid, never their values.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  what: string,
  mayHoldBytes = false,
): z.output<Schema> {
  rejectLongLists(input, { what, mayHoldBytes })
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

interface Subject {
  what: string
  mayHoldBytes: boolean
}

function rejectLongLists(input: unknown, subject: Subject, depth = 0): void {
  if (typeof input !== 'object' || input === null || depth > maxListDepth) return
  const reject = (problem: string) => {
    throw new InputError(`${subject.what} not valid: ${problem}`, [problem])
  }
  const length = lengthOf(input, subject)
  if (length > maxListLength) {
    reject(`a list has ${length} entries, at most ${maxListLength} are possible`)
  }
  const members = isPlain(input) ? Object.keys(input).length : 0
  if (members > maxMembers) {
    reject(`an object has ${members} members, at most ${maxMembers} are possible`)
  }
  for (const child of childrenOf(input)) rejectLongLists(child, subject, depth + 1)
}

function lengthOf(value: object, { mayHoldBytes }: Subject): number {
  if (Array.isArray(value)) return value.length
  return ArrayBuffer.isView(value) && !mayHoldBytes ? value.byteLength : 0
}

/** The entries of a list or of a plain object. Getters, which may throw, are not called. */
function childrenOf(value: object): unknown[] {
  if (Array.isArray(value)) return value
  if (!isPlain(value)) return []
  return Object.values(Object.getOwnPropertyDescriptors(value)).map((property) => property.value)
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
