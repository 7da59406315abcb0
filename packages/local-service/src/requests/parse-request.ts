import { parseInWords, readNumber } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { ServiceError } from '../errors/service-error.ts'
import { reportIgnored } from '../server/observability/observe.ts'
import { camelCaseKeys } from './camel-case.ts'
import { parseBody, readJsonBody } from './read-json.ts'

// The name of a value in the context of a request.
const strictKey = 'isStrict'

/** Lets `parseRequest` reject what it otherwise ignores. */
export const parseStrictly: MiddlewareHandler = async (context, next) => {
  context.set(strictKey, true)
  await next()
}

/** Whether the service rejects what others ignore. */
export function isStrict(context: Context): boolean {
  return context.get(strictKey) === true
}

/**
 * Parses a body or a query. A number may be text, as in the JSON of protocol buffers. As the protocol demands, it ignores
 * and reports unknown fields and unknown values of optional enums. A `null`, and a 0 or an empty text that is not valid,
 * mean that an optional field is not given.
 * @param request is changed: it loses these fields, and texts become numbers.
 * @throws {ServiceError} naming every invalid field, never its value, and for an unknown field the nearest known one.
 */
export function parseRequest<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const given = parseInWords(schema, request)
  if ('data' in given) return given.data
  const parsed = readNumbers(request, given.issues) ? parseInWords(schema, request) : given
  if ('data' in parsed) return parsed.data
  if (!isStrict(context)) {
    const ignored = removeIgnored(request, parsed.issues)
    const rest = schema.safeParse(request)
    if (rest.success) {
      reportIgnored(context, ignored)
      return rest.data
    }
  }
  throw new ServiceError('INVALID_ARGUMENT', parsed.problems.join('; '))
}

/**
 * Reads a JSON body in the format of this service, whose keys may be snake_case.
 * @throws {ServiceError} if it is not JSON, or does not match the schema.
 */
export async function readValidBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseRequest(context, schema, camelCaseKeys(await readJsonBody(context)))
}

/** Replaces texts where the schema expects numbers. @returns whether there were any. */
function readNumbers(request: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  const replaced = issues.filter((issue) => {
    const [key, ...holderPath] = issue.path.toReversed()
    if (key === undefined || !expectsNumber(issue)) return false
    const holder = valueAt(request, holderPath.reverse())
    const number = readNumber(holder[key])
    const isReplaced = number !== holder[key]
    holder[key] = number
    return isReplaced
  })
  return replaced.length > 0
}

function expectsNumber(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_type') return issue.expected === 'number' || issue.expected === 'int'
  return issue.code === 'invalid_value' && issue.values.every((value) => typeof value === 'number')
}

/** Removes more than it should only from a request that then lacks a required field. @returns the fields to report. */
function removeIgnored(request: unknown, issues: readonly z.core.$ZodIssue[]): PropertyKey[][] {
  const ignored: PropertyKey[][] = []
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const holder = valueAt(request, issue.path)
      for (const key of issue.keys) {
        delete holder[key]
        ignored.push([...issue.path, key])
      }
      continue
    }
    const [key, ...holderPath] = issue.path.toReversed()
    if (key === undefined) continue
    const holder = valueAt(request, holderPath.reverse())
    const value = holder[key]
    const isUnknownChoice =
      issue.code === 'invalid_value' && typeof value === 'string' && !expectsNumber(issue)
    const isZeroOutOfRange = value === 0 && issue.code !== 'invalid_type'
    const isEmpty = value === '' && ['too_small', 'invalid_format'].includes(issue.code)
    if (isUnknownChoice) ignored.push(issue.path)
    if (isUnknownChoice || isZeroOutOfRange || isEmpty || value === null) delete holder[key]
  }
  return ignored
}

type Holder = Record<PropertyKey, unknown>

function valueAt(request: unknown, path: readonly PropertyKey[]): Holder {
  return path.reduce((holder, key) => holder[key] as Holder, request as Holder)
}

/** Reads a message of a socket, in JSON whose keys may be snake_case. @throws as `readValidBody`. */
export async function readValidMessage<Schema extends z.ZodType>(
  handshake: Context,
  schema: Schema,
  bytes: Uint8Array,
): Promise<z.output<Schema>> {
  return parseRequest(handshake, schema, camelCaseKeys(await parseBody(bytes, 'The message')))
}
