import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'
import { trustConnection } from './connections.ts'

// They reveal nothing private, and the monitors that request them have no key.
const openPaths = ['/healthz', '/openapi.yaml']

// Clients of the OpenAI API and Prometheus send a key as a bearer token.
const bearerPaths = /^\/(v1\/|metrics$)/

/**
 * Accepts only requests that carry the key as `Authorization: Basic <key>` or, below `/v1/` and for the metrics, as
 * `Bearer <key>`.
 */
export function authorize(apiKey: string): MiddlewareHandler {
  const expected = digest(`Basic ${apiKey}`)
  return async (context, next) => {
    const { path } = context.req
    const header = context.req.header('authorization') ?? ''
    const given = digest(bearerPaths.test(path) ? header.replace(/^Bearer /i, 'Basic ') : header)
    if (timingSafeEqual(given, expected)) trustConnection(context)
    else if (!openPaths.includes(path)) {
      throw new ServiceError('UNAUTHENTICATED', 'The key is missing or wrong')
    }
    await next()
  }
}

/** A comparison in constant time needs inputs of equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
