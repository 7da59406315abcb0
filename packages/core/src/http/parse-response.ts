import type { z } from 'zod'
import { badResponse } from '../protocol-errors.ts'
import { errorIn } from '../wire/problem.ts'
import { statedProblem } from './stated-problem.ts'
import type { JsonResponse } from './transport.ts'

/**
 * Parses a response with a status of 2xx.
 * @throws {ApiError} if the body states an error despite its status.
 * @throws {ProtocolError} `BAD_RESPONSE` if the body does not match the schema.
 */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  response: JsonResponse,
): z.output<Schema> {
  const error = errorIn(response.json)
  if (error) throw response.errorOf(statedProblem(error))
  const parsed = schema.safeParse(response.json)
  if (parsed.success) return parsed.data
  throw badResponse(response, 'the response does not match the expected format')
}
