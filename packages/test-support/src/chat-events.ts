import type { ServerResponse } from 'node:http'
import { createClient } from '../../core/src/client.ts'
import type { ChatDelta } from '../../core/src/endpoints/chat/accumulator.ts'
import type { ChatStream } from '../../core/src/endpoints/chat/chat-stream.ts'
import type { ChatRequest } from '../../core/src/wire/chat.ts'
import { startTestServer } from './test-server.ts'

export const chatRequest: ChatRequest = {
  model: 'svc/models/small',
  messages: [{ role: 'user', content: 'Is it raining?' }],
}

type Handler = (response: ServerResponse) => void

/**
 * Starts a server that sends this response to every chat request.
 * @returns the server, and a function that starts a chat stream.
 */
export async function startChatStreamServer(
  chatResponse: string | Handler,
  clientOptions: object = {},
) {
  const server = await startTestServer((response) =>
    typeof chatResponse === 'string' ? void response.end(chatResponse) : chatResponse(response),
  )
  const client = createClient({ baseUrl: server.baseUrl, ...clientOptions })
  const stream = (signal?: AbortSignal, more: object = {}) =>
    client.chatStream({ ...chatRequest, ...more }, { signal })
  return { server, stream }
}

/** A server-sent event with this delta. */
export function chatEvent(delta: object, more: object = {}): string {
  return dataEvent({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
}

/** A server-sent event with this JSON value. */
export function dataEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export const stopEvent = chatEvent({}, { finish_reason: 'stop' })
export const doneEvent = 'data: [DONE]\n\n'

export async function collectDeltas(stream: ChatStream): Promise<ChatDelta[]> {
  const deltas: ChatDelta[] = []
  for await (const delta of stream) deltas.push(delta)
  return deltas
}

/** A streamed response with every possible field. */
export const completeResponse = [
  dataEvent({ model: 'small-2', choices: [{ delta: { role: 'assistant', content: null } }] }),
  chatEvent({ reasoning_content: 'A look ' }),
  chatEvent({ reasoning: 'outside.' }),
  ': keep-alive\n\n',
  chatEvent({ content: '' }),
  chatEvent({ content: 'Ja, es ' }),
  chatEvent({ content: 'gießt 🌧.' }),
  stopEvent,
  dataEvent({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
  doneEvent,
].join('')

/** The deltas of `completeResponse`. */
export const completeDeltas = [
  { reasoning: 'A look ' },
  { reasoning: 'outside.' },
  { content: 'Ja, es ' },
  { content: 'gießt 🌧.' },
]
