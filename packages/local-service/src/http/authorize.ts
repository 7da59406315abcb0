import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'

// They tell nothing about anybody, and a watchdog that asks for them has no key.
const openPaths = ['/healthz', '/openapi.yaml']

// Called by clients of the OpenAI API and by Prometheus, which send a key as a bearer's.
const bearerPaths = /^\/(v1\/|metrics$)/

/**
 * Lets only requests pass that carry the key as `Authorization: Basic <key>`; below `/v1/` and for the metrics also as
 * `Bearer <key>`.
 */
export function authorize(apiKey: string): MiddlewareHandler {
  const expected = digest(`Basic ${apiKey}`)
  return async (context, next) => {
    const { path } = context.req
    const header = context.req.header('authorization') ?? ''
    const given = digest(bearerPaths.test(path) ? header.replace(/^Bearer /i, 'Basic ') : header)
    if (!openPaths.includes(path) && !timingSafeEqual(given, expected)) {
      throw new ServiceError('UNAUTHENTICATED', 'The key is missing or wrong')
    }
    await next()
  }
}

/** Equal in length whatever was given, as a comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
