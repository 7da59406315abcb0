import type { ChatMessage } from '@parlando/core'

/** What was said before, for each `msg.topic`. */
export interface Conversations {
  /** The turns that go before the next question. */
  of(topic: string): readonly ChatMessage[]
  add(topic: string, question: ChatMessage, answer: ChatMessage): void
  /** @param topic absent: all of them. */
  forget(topic?: string): void
}

// When there are more, the one that was quiet for longest is forgotten.
const mostTopics = 200

/** @param maxTurns questions with their answers that are kept for a topic; 0: each question stands alone. */
export function createConversations(maxTurns: number): Conversations {
  const turns = new Map<string, ChatMessage[]>()
  return {
    of: (topic) => turns.get(topic) ?? [],
    add(topic, question, answer) {
      if (maxTurns === 0) return
      const kept = [...(turns.get(topic) ?? []), question, answer].slice(-2 * maxTurns)
      turns.delete(topic)
      turns.set(topic, kept)
      const [oldest] = turns.keys()
      if (turns.size > mostTopics && oldest !== undefined) turns.delete(oldest)
    },
    forget(topic) {
      if (topic === undefined) turns.clear()
      else turns.delete(topic)
    },
  }
}
