import type { ServerResponse } from 'node:http'
import { createClient } from '../../core/src/client.ts'
import type { ChatDelta } from '../../core/src/endpoints/chat/accumulator.ts'
import type { ChatStream } from '../../core/src/endpoints/chat/chat-stream.ts'
import type { ChatRequest } from '../../core/src/wire/chat.ts'
import { startTestServer } from './test-server.ts'

export const request: ChatRequest = {
  model: 'svc/models/small',
  messages: [{ role: 'user', content: 'Is it raining?' }],
}

type Handler = (response: ServerResponse) => void

/** A server that sends this response to every chat request, and the resulting stream. */
export async function streamerOf(answer: string | Handler, clientOptions: object = {}) {
  const server = await startTestServer((response) =>
    typeof answer === 'string' ? void response.end(answer) : answer(response),
  )
  const client = createClient({ baseUrl: server.baseUrl, ...clientOptions })
  const stream = (signal?: AbortSignal, more: object = {}) =>
    client.chatStream({ ...request, ...more }, { signal })
  return { server, stream }
}

export function event(delta: object, more: object = {}): string {
  return data({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
}

export function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export const stop = event({}, { finish_reason: 'stop' })
export const done = 'data: [DONE]\n\n'

export async function collect(stream: ChatStream): Promise<ChatDelta[]> {
  const deltas: ChatDelta[] = []
  for await (const delta of stream) deltas.push(delta)
  return deltas
}

/** A response with every possible field, and the expected result. */
export const whole = [
  data({ model: 'small-2', choices: [{ delta: { role: 'assistant', content: null } }] }),
  event({ reasoning_content: 'A look ' }),
  event({ reasoning: 'outside.' }),
  ': keep-alive\n\n',
  event({ content: '' }),
  event({ content: 'Ja, es ' }),
  event({ content: 'gießt 🌧.' }),
  stop,
  data({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
  done,
].join('')
export const deltas = [
  { reasoning: 'A look ' },
  { reasoning: 'outside.' },
  { content: 'Ja, es ' },
  { content: 'gießt 🌧.' },
]
