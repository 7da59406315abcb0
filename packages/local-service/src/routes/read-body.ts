import { camelCaseKeys } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { Refusal } from '../refusal.ts'

/** Refuses what is larger, before all of it was read. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError() {
      throw new Refusal('INVALID_ARGUMENT', `The body is larger than ${maxBytes} bytes`)
    },
  })
}

/** Reads a JSON body; keys in snake_case are good as well. @throws {Refusal} naming every field that is wrong. */
export async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await context.req.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal('INVALID_ARGUMENT', 'The body is not JSON')
  }
  return parseRequest(schema, camelCaseKeys(body))
}

/** @throws {Refusal} naming every field that is wrong, never its value. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(request)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new Refusal('INVALID_ARGUMENT', problems.join('; '))
}
