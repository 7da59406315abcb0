import type { ChatMessage } from '@parlando/core'

/** What was said before on one topic. */
export interface Conversation {
  /** The turns that go before the next question. */
  readonly turns: readonly ChatMessage[]
  /** Does nothing when the conversation has been forgotten since it was opened. */
  add(question: ChatMessage, answer: ChatMessage): void
}

/** What was said before, for each `msg.topic`. */
export interface Conversations {
  open(topic: string): Conversation
  /** @param topic absent: all of them. */
  forget(topic?: string): void
}

// When there are more, the one that was quiet for longest is forgotten.
const maxTopics = 200

/** @param maxTurns questions with their answers that are kept for a topic; 0: each question stands alone. */
export function createConversations(maxTurns: number): Conversations {
  const topics = new Map<string, ChatMessage[]>()

  const touch = (topic: string, turns: ChatMessage[]) => {
    topics.delete(topic)
    topics.set(topic, turns)
    const [oldest] = topics.keys()
    if (topics.size > maxTopics && oldest !== undefined) topics.delete(oldest)
  }

  return {
    open(topic) {
      const turns = topics.get(topic) ?? []
      touch(topic, turns)
      return {
        turns,
        add(question, answer) {
          if (maxTurns === 0 || topics.get(topic) !== turns) return
          turns.push(question, answer)
          turns.splice(0, turns.length - 2 * maxTurns)
          touch(topic, turns)
        },
      }
    },
    forget(topic) {
      if (topic === undefined) topics.clear()
      else topics.delete(topic)
    },
  }
}
