import { chatChunkSchema, chatRequestSchema, chatResponseSchema } from '@parlando/core/wire'
import { named, type Operation } from '../operation.ts'

export const chatOperation: Operation = {
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
}
