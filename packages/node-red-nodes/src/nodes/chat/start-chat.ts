import type { ChatRequest } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import { openServedTools } from '../../mcp/tool-server.ts'
import { reasonOf } from '../../runtime/failure.ts'
import type { ConnectedContext } from '../../runtime/work.ts'
import type { ChatAnswer, ChatOutput } from './answer-messages.ts'
import { ChatWithTools } from './chat-with-tools.ts'

export interface ChatPlace {
  RED: NodeAPI
  node: Node
  /** The configuration node of an MCP server; empty: none. */
  serverId: string | undefined
}

/** Begins an answer, for which the language model may call the tools of the server. @throws the error of the server. */
export async function startChat(
  { RED, node, serverId }: ChatPlace,
  request: ChatRequest,
  { client, signal, status }: ConnectedContext<ChatOutput>,
): Promise<ChatAnswer> {
  const ask = (next: ChatRequest) =>
    client.chatStream(next, { signal, onRetry: () => status.retrying() })
  const served = await openServedTools({
    RED,
    serverId,
    ownNames: namesOf(request.tools),
    signal,
    // The language model learns of the failure as well, and the answer follows.
    report: (error) => node.warn(reasonOf(error)),
  })
  if (!served) return ask(request)
  const onCalls = () => status.working(() => RED._('chat.status.tool'))
  return new ChatWithTools({ request, served, ask, onCalls })
}

/** The client checks the tools later; until then they may be anything. */
function namesOf(tools: unknown): string[] {
  const list = Array.isArray(tools) ? (tools as ChatRequest['tools'])! : []
  return list.map((tool) => String(tool?.function?.name))
}
