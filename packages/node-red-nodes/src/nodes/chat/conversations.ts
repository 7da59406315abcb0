import type { ChatMessage } from '@parlando/core'

/** The conversation on one topic. */
export interface ChatHistory {
  /** The turns before the next question. */
  readonly turns: readonly ChatMessage[]
  /** Adds a question and its answer, unless the conversation was forgotten in the meantime. */
  add(question: ChatMessage, answer: ChatMessage): void
}

// Beyond this limit, the least recently used topic is forgotten.
const maxTopics = 200

/** @param maxTurns Questions and answers to remember for each topic; 0: none. */
export function createConversations(maxTurns: number) {
  const topics = new Map<string, ChatMessage[]>()

  const touch = (topic: string, turns: ChatMessage[]) => {
    topics.delete(topic)
    topics.set(topic, turns)
    const [oldest] = topics.keys()
    if (topics.size > maxTopics && oldest !== undefined) topics.delete(oldest)
  }

  return {
    open(topic: string): ChatHistory {
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
    /** @param topic Default: all topics. */
    forget(topic?: string) {
      if (topic === undefined) topics.clear()
      else topics.delete(topic)
    },
  }
}

/** The conversations of a node, one for each `msg.topic`. */
export type Conversations = ReturnType<typeof createConversations>
