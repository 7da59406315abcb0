import type { RealtimeConversation, RealtimeSession } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import { type ChatHistory, type Conversations, topicOf } from '../../conversations/conversations.ts'
import { shortenConversation } from '../../conversations/node-conversations.ts'
import { withSummary } from '../../conversations/summarize.ts'
import { autoModel, echoModel } from '../../runtime/service-defaults.ts'
import type { ConnectedContext } from '../../runtime/work.ts'
import type { ConverseMessage } from './conversation-messages.ts'

/** What a conversation takes from the ones before it, and leaves for the next one. */
export class Memory {
  readonly #history: ChatHistory
  readonly #shorten: (history: ChatHistory) => Promise<void>
  #asked: string[] = []
  #answered: string[] = []
  #shortening: Promise<void> | undefined

  /** @param shorten summarizes the older part if it is due; never rejects. */
  constructor(history: ChatHistory, shorten: (history: ChatHistory) => Promise<void>) {
    this.#history = history
    this.#shorten = shorten
  }

  /** Adds the summary of the earlier conversations to the instructions. */
  remind(session: RealtimeSession): RealtimeSession {
    const instructions = withSummary(session.instructions, this.#history.summary)
    return { ...session, ...(instructions !== undefined && { instructions }) }
  }

  /** Adds the earlier turns to a conversation that begins. */
  restore(conversation: Pick<RealtimeConversation, 'send'>): void {
    for (const { role, content } of this.#history.turns) {
      const isUser = role === 'user'
      const part = { type: isUser ? 'input_text' : 'output_text', text: String(content) } as const
      const item = {
        type: 'message',
        role: isUser ? 'user' : 'assistant',
        content: [part],
      } as const
      conversation.send({ type: 'conversation.item.create', item: item as never })
    }
  }

  noteUser(text: string): void {
    if (this.#answered.length > 0) this.#add()
    this.#asked.push(text)
  }

  /** Called several times for one question if tools were called. */
  noteAssistant(text: string): void {
    if (this.#asked.length > 0) this.#answered.push(text)
  }

  /** The conversation has ended. Resolves when everything is summarized that has to be. */
  async close(): Promise<void> {
    if (this.#answered.length > 0) this.#add()
    await this.#shortening
  }

  #add(): void {
    const question = { role: 'user' as const, content: this.#asked.join(' ') }
    const answer = { role: 'assistant' as const, content: this.#answered.join(' ') }
    this.#asked = []
    this.#answered = []
    this.#history.add(question, answer)
    this.#shortening ??= this.#shorten(this.#history).finally(() => {
      this.#shortening = undefined
    })
  }
}

export interface MemoryRequest {
  RED: NodeAPI
  node: Node
  memories: Conversations
  message: ConverseMessage
  session: RealtimeSession
  context: ConnectedContext<ConverseMessage>
}

/** The memory of the earlier conversations on the topic of a message. */
export function openMemory({
  RED,
  node,
  memories,
  message,
  session,
  context,
}: MemoryRequest): Memory {
  const { client, signal } = context
  const { model = autoModel } = session
  // The echo would only repeat the conversation.
  const shorten = async (history: ChatHistory) => {
    if (model !== echoModel)
      await shortenConversation(RED, node, history, { client, model, signal })
  }
  return new Memory(memories.open(topicOf(message)), shorten)
}
