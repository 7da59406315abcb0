import type { z } from 'zod'
import type { Socket } from '../http/socket.ts'
import { statedProblem } from '../http/stated-problem.ts'
import { parseJson } from '../wire/decode.ts'
import { errorIn } from '../wire/problem.ts'

/** The socket of a message, which names it in errors. */
export type MessageSource = Pick<Socket, 'bad' | 'errorOf'>

/** @throws {ProtocolError} `BAD_RESPONSE` if the message is not JSON. */
export function parseMessage(message: string, source: MessageSource): unknown {
  const json = parseJson(message)
  if (json === undefined) throw source.bad('a message of the service is not JSON')
  return json
}

/** @throws {ApiError} if the message is an error of the service. */
export function rejectProblem(json: unknown, source: MessageSource): void {
  const error = errorIn(json)
  if (error) throw source.errorOf(statedProblem(error))
}

/**
 * Reads a message that contains a result.
 * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE` if it does not match the schema.
 */
export function parseResult<Result>(
  schema: z.ZodType<{ result?: Result | null; error?: unknown }>,
  message: string,
  source: MessageSource,
): { result: Result | null | undefined; json: unknown } {
  const json = parseMessage(message, source)
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    throw source.bad('a message of the service does not match the expected format')
  }
  const { result, error } = parsed.data
  if (error) throw source.errorOf(statedProblem(error))
  if (!result) rejectProblem(json, source)
  return { result, json: parsed.data }
}
