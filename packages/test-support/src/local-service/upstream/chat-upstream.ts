import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ChatUpstreamOptions,
  createChatUpstream,
} from '../../../../local-service/src/chat/upstream/chat-upstream.ts'
import { keys } from '../../secrets/keys.ts'
import { startTestServer } from '../../servers/test-server.ts'

export const chat = {
  model: 'llama',
  messages: [{ role: 'user', content: 'Hi' }],
  odd: { field: 1 },
}

/** A chat upstream with this handler. */
export async function upstreamOf(
  handler: (response: ServerResponse, request: IncomingMessage) => void,
  options: Partial<ChatUpstreamOptions> = {},
) {
  const server = await startTestServer(handler)
  const baseUrl = `${server.baseUrl}/v1`
  const upstream = createChatUpstream({ baseUrl, apiKey: keys.upstream, ...options })
  const forward = () =>
    upstream.forward(Buffer.from(JSON.stringify(chat)), new AbortController().signal, () => {})
  return { server, upstream, forward }
}

/** A chat upstream that sends this response to every request. */
export const upstreamSending = (
  status: number,
  body: string,
  headers: Record<string, string> = {},
) => upstreamOf((response) => void response.writeHead(status, headers).end(body))
