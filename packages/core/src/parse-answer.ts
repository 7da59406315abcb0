import type { z } from 'zod'
import { ProtocolError } from './errors.ts'

/** Parses what the service answered. @throws {ProtocolError} `BAD_ANSWER` when it is not what the protocol says. */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: { json: unknown; requestId: string },
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(answer.json)
  if (parsed.success) return parsed.data
  throw new ProtocolError(`${what} failed: the answer has not the shape that it should have`, {
    code: 'BAD_ANSWER',
    requestId: answer.requestId,
  })
}
