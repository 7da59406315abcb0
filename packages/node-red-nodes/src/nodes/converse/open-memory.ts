import type { RealtimeSession } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import type { ChatHistory, Conversations } from '../../conversations/conversations.ts'
import { shortenConversation } from '../../conversations/node-conversations.ts'
import type { ConnectedTools } from '../../runtime/work.ts'
import { autoModel, echoModel } from '../../shared/saved-settings.ts'
import type { ConverseMessage } from './conversation-messages.ts'
import { Memory } from './memory.ts'

export interface MemoryRequest {
  RED: NodeAPI
  node: Node
  memories: Conversations
  message: ConverseMessage
  session: RealtimeSession
  tools: ConnectedTools<ConverseMessage>
}

/** The memory of the earlier conversations on the topic of a message. */
export function openMemory({
  RED,
  node,
  memories,
  message,
  session,
  tools,
}: MemoryRequest): Memory {
  const { client, signal } = tools
  const { model = autoModel } = session
  const topic = message.topic === undefined ? '' : String(message.topic)
  // The echo would only repeat the conversation.
  const shorten = async (history: ChatHistory) => {
    if (model !== echoModel)
      await shortenConversation(RED, node, history, { client, model, signal })
  }
  return new Memory(memories.open(topic), shorten)
}
