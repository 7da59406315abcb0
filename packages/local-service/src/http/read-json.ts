import { parseJson } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ServiceError } from '../errors.ts'

/** Rejects a larger body. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError() {
      throw new ServiceError('INVALID_ARGUMENT', `The body is larger than ${maxBytes} bytes`)
    },
  })
}

/** @throws {ServiceError} when the body is not JSON. */
export async function readJsonBody(context: Context): Promise<unknown> {
  const body = parseJson(await context.req.text())
  if (body === undefined) throw new ServiceError('INVALID_ARGUMENT', 'The body is not JSON')
  return body
}
