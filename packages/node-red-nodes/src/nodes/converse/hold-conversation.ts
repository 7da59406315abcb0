import type { RealtimeSession } from '@parlando/core'
import { TimeoutError } from '@parlando/core/errors'
import type { NodeAPI } from 'node-red'
import type { WorkTools } from '../../runtime/work.ts'
import { type ConverseMessage, conversationMessages } from './conversation-messages.ts'
import { EventHandler } from './event-handler.ts'
import { createFollowUp } from './follow-up.ts'
import type { UserMessages } from './user-messages.ts'

export interface ConversationOptions {
  RED: NodeAPI
  session: RealtimeSession
  /** Whether the conversation ends when nobody speaks after a response. */
  isShort: boolean
  input: UserMessages
  /** The message that began the conversation. */
  message: ConverseMessage
  tools: WorkTools<ConverseMessage>
  /** Receives failures that do not end the conversation. */
  report(error: Error): void
}

/** Nobody has stopped the conversation. The service may have a shorter limit. */
const idleTimeoutMs = 60 * 60_000

/** Holds a conversation until it is stopped, or nobody says anything more. */
export async function holdConversation(options: ConversationOptions): Promise<void> {
  const { RED, session, isShort, input, tools, report } = options
  // May throw, so it happens before the conversation begins.
  const messages = conversationMessages(RED, options.message)
  const { client, signal, status } = tools
  const call = { signal, onRetry: () => status.retrying(), idleTimeoutMs }
  const conversation = client.realtime(session, call)
  const followUp = createFollowUp(isShort ? () => void conversation.close() : undefined)
  const handler = new EventHandler({ RED, tools, messages, conversation, followUp, report })
  const readEvents = async () => {
    for await (const event of conversation) handler.take(event)
  }
  try {
    if (input.hasAudio) followUp.begin()
    await Promise.race([readEvents(), input.connect(conversation, followUp.cancel)])
  } catch (error) {
    if (!isIdle(error)) throw error
  } finally {
    followUp.cancel()
    handler.close()
    await conversation.close()
  }
}

function isIdle(error: unknown): boolean {
  return TimeoutError.isInstance(error) && error.timeoutMs === idleTimeoutMs
}
