import type { ServerResponse } from 'node:http'
import { createClient } from '../../../core/src/client.ts'
import type { ChatDelta } from '../../../core/src/endpoints/chat/chat-reply.ts'
import type { ChatStream } from '../../../core/src/endpoints/chat/chat-stream.ts'
import { chatRequest } from './chat-events.ts'
import { startTestServer } from './test-server.ts'

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

export async function collectDeltas(stream: ChatStream): Promise<ChatDelta[]> {
  const deltas: ChatDelta[] = []
  for await (const delta of stream) deltas.push(delta)
  return deltas
}
