import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../refusal.ts'

/**
 * Lets only requests pass that carry the key as `Authorization: Basic <key>`; below `/v1/`, where clients of the OpenAI
 * API call, also as `Bearer <key>`.
 */
export function authorize(apiKey: string): MiddlewareHandler {
  const expected = digest(`Basic ${apiKey}`)
  return async (context, next) => {
    const header = context.req.header('authorization') ?? ''
    const isOpenAiForm = context.req.path.startsWith('/v1/')
    const given = digest(isOpenAiForm ? header.replace(/^Bearer /i, 'Basic ') : header)
    if (!timingSafeEqual(given, expected)) {
      throw new Refusal('UNAUTHENTICATED', 'The key is missing or wrong')
    }
    await next()
  }
}

/** Equal in length whatever was given, as a comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
