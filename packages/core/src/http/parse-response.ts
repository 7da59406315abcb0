import type { z } from 'zod'
import { ProtocolError } from '../errors.ts'
import { statedProblem } from './stated-problem.ts'
import type { JsonAnswer } from './transport.ts'

/**
 * Parses what the service answered.
 * @throws {ApiError} when it states an error although its status is 200.
 * @throws {ProtocolError} `BAD_ANSWER` when it is not what the protocol says.
 */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: JsonAnswer,
  what: string,
): z.output<Schema> {
  const { error } = (answer.json ?? {}) as { error?: unknown }
  if (error) throw answer.errorOf(statedProblem(error))
  const parsed = schema.safeParse(answer.json)
  if (parsed.success) return parsed.data
  throw new ProtocolError(`${what} failed: the answer has not the shape that it should have`, {
    code: 'BAD_ANSWER',
    requestId: answer.requestId,
  })
}
