import { chatChunkSchema, chatRequestSchema, chatResponseSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { echo, echoModel } from '../../chat/echo/echo.ts'
import { toEvents, toResponse } from '../../chat/echo/format-completion.ts'
import { readEchoRequest } from '../../chat/echo/read-echo-request.ts'
import { findChatModel, unknownChatModel } from '../../chat/find-chat-model.ts'
import { type ChatBody, readChatBody } from '../../chat/read-chat-body.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { parseBody, readBody } from '../../requests/read-json.ts'
import { createAbortResponse } from '../../server/responses/stream-response.ts'
import { type Endpoint, named } from '../app/endpoint.ts'

// The upstream may read images and recordings in base64; the echo reads only text.
const maxBodyBytes = 32 * 1024 * 1024
const maxEchoBytes = 1024 * 1024

/**
 * The built-in echo or the chat upstream responds. The upstream gets every byte of the body, except for the name of the
 * model.
 */
export const chat: Endpoint = {
  operation: {
    method: 'post',
    path: '/v1/chat/completions',
    summary:
      'Returns a chat completion of the chat upstream or the built-in echo; with `stream`, as server-sent events that each contain a ChatChunk',
    key: 'basic or bearer',
    body: named('ChatRequest', chatRequestSchema),
    bodyExample: {
      model: 'svc/models/echo',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      stop: ['x'],
    },
    responses: {
      'application/json': named('ChatResponse', chatResponseSchema),
      'text/event-stream': 'text',
    },
    related: [named('ChatChunk', chatChunkSchema)],
  },
  maxBodyBytes,
  createHandler:
    ({ chatUpstream }) =>
    async (context) => {
      const body = await readChatBody(await readBody(context))
      // Read before the upstream is asked for its models: a later signal would not report that the caller has left meanwhile.
      const { signal } = context.req.raw
      const model = await findChatModel(body.model, chatUpstream)
      if (!model) throw unknownChatModel(body.model)
      if (model.kind === 'echo') return respondByEcho(context, body)
      const { upstream, name } = model
      return upstream.forward(body.withModel(name), signal, createAbortResponse(context))
    },
}

async function respondByEcho(context: Context, { bytes }: ChatBody): Promise<Response> {
  if (bytes.length > maxEchoBytes) {
    const message = `${echoModel} reads at most ${maxEchoBytes} bytes`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const request = readEchoRequest(context, (await parseBody(bytes)) as Record<string, unknown>)
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
