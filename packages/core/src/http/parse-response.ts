import type { z } from 'zod'
import { ProtocolError } from '../errors.ts'
import { statedProblem } from './stated-problem.ts'
import type { JsonResponse } from './transport.ts'

/**
 * Parses what the service answered.
 * @throws {ApiError} when it states an error although its status is 200.
 * @throws {ProtocolError} `BAD_RESPONSE` when it is not what the protocol says.
 */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  response: JsonResponse,
  what: string,
): z.output<Schema> {
  const { error } = (response.json ?? {}) as { error?: unknown }
  if (error) throw response.errorOf(statedProblem(error))
  const parsed = schema.safeParse(response.json)
  if (parsed.success) return parsed.data
  throw new ProtocolError(`${what} failed: the answer has not the shape that it should have`, {
    code: 'BAD_RESPONSE',
    requestId: response.requestId,
  })
}
