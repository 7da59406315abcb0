import type { Hono } from 'hono'
import { ServiceError } from '../../errors.ts'
import { createBreakOff } from '../../http/abort-response.ts'
import { limitBody, readJsonBody } from '../../http/read-json.ts'
import type { ChatUpstream } from './chat-upstream.ts'
import { toEvents, toResponse } from './completion.ts'
import { echo, echoModel } from './echo.ts'
import { readEchoRequest } from './echo-request.ts'

// Pictures and recordings travel in messages, as base64.
const maxBodyBytes = 32 * 1024 * 1024

/**
 * `POST /v1/chat/completions`, answered by the built-in echo or by the server that has language models. That one gets
 * the body as it came, but for `svc/models/<name>`, which it knows as `<name>`; `auto` is the echo where there is none.
 */
export function addChatRoutes(app: Hono, upstream: ChatUpstream | undefined): void {
  app.post('/v1/chat/completions', limitBody(maxBodyBytes), async (context) => {
    const body = await readJsonBody(context)
    if (!isObject(body)) throw new ServiceError('INVALID_ARGUMENT', 'The body is no JSON object')
    const { model } = body
    if (typeof model !== 'string' || model === '') {
      throw new ServiceError('INVALID_ARGUMENT', 'model: no model is chosen')
    }
    if (isEcho(model, upstream)) return answerByEcho(body)
    const name = model.replace(/^svc\/models\//, '')
    if (upstream) {
      const { signal } = context.req.raw
      return upstream.forward({ ...body, model: name }, signal, createBreakOff(context))
    }
    const message = `Unknown model: ${model}. This service has ${echoModel}; for language models, start it with --chat-upstream and the address of a server that has them, such as http://127.0.0.1:11434/v1`
    throw new ServiceError('NOT_FOUND', message)
  })
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

function isEcho(model: string, upstream: ChatUpstream | undefined): boolean {
  return model === echoModel || (!upstream && (model === 'echo' || model === 'auto'))
}

function answerByEcho(body: Record<string, unknown>): Response {
  const request = readEchoRequest(body)
  const completion = echo(request)
  if (!request.stream) return Response.json(toResponse(completion))
  const events = toEvents(completion, request.stream_options?.include_usage ?? false)
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'transfer-encoding': 'chunked',
  }
  return new Response(toBody(events), { headers })
}

function toBody(events: Iterator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = events.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    },
    { highWaterMark: 0 },
  )
}
