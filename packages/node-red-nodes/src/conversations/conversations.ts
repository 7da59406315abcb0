import type { ChatMessage } from '@parlando/core'

/** What a node remembers of a conversation. */
export interface Remembered {
  /** A summary of the turns before these. Empty: there are none. */
  summary: string
  /** Questions and answers, in turn. */
  turns: ChatMessage[]
}

/** The conversation on one topic. */
export interface ChatHistory extends Remembered {
  /** Adds a question and its answer, unless the conversation was forgotten in the meantime. */
  add(question: ChatMessage, answer: ChatMessage): void
  /**
   * Replaces the older turns by a summary if the conversation has grown too long and is kept. If the summary fails, all turns
   * stay, up to twice as many as otherwise. @throws the error of the summary.
   */
  shorten(summarize: (older: Remembered) => Promise<string>): Promise<void>
}

// Beyond this limit, the least recently used topic is forgotten.
const maxTopics = 200

export interface ConversationsOptions {
  /** Questions and answers to remember for each topic; 0: none. */
  maxTurns: number
  /** Those of the last time, if they are kept. */
  kept?: readonly (readonly [topic: string, remembered: Remembered])[]
  /** Called with all conversations when one has changed, if they are kept. */
  onChange?(all: ReadonlyMap<string, Remembered>): void
}

export function createConversations({ maxTurns, kept = [], onChange }: ConversationsOptions) {
  const topics = new Map<string, Remembered>(kept)
  const maxMessages = 2 * maxTurns

  const touch = (topic: string, remembered: Remembered) => {
    topics.delete(topic)
    topics.set(topic, remembered)
    const [oldest] = topics.keys()
    if (topics.size > maxTopics && oldest !== undefined) topics.delete(oldest)
  }

  const open = (topic: string): ChatHistory => {
    const remembered = topics.get(topic) ?? { summary: '', turns: [] }
    const { turns } = remembered
    touch(topic, remembered)
    const isForgotten = () => topics.get(topic) !== remembered
    return {
      turns,
      get summary() {
        return remembered.summary
      },
      add(question, answer) {
        if (maxTurns === 0 || isForgotten()) return
        turns.push(question, answer)
        // One that is kept is shortened by a summary.
        const limit = onChange ? 2 * maxMessages : maxMessages
        turns.splice(0, turns.length - limit)
        touch(topic, remembered)
        onChange?.(topics)
      },
      async shorten(summarize) {
        if (!onChange || turns.length <= maxMessages || isForgotten()) return
        // Half of them stay, so that the next summary is not due at once. An answer stays with its question.
        const count = turns.length - 2 * Math.ceil(maxTurns / 2)
        const older = turns.slice(0, count)
        const summary = await summarize({ summary: remembered.summary, turns: older })
        if (isForgotten() || turns[0] !== older[0]) return
        remembered.summary = summary
        turns.splice(0, count)
        onChange(topics)
      },
    }
  }

  return {
    open,
    /** @param topic Default: all topics. */
    forget(topic?: string) {
      if (topic === undefined) topics.clear()
      else topics.delete(topic)
      onChange?.(topics)
    },
  }
}

/** The conversations of a node, one for each `msg.topic`. */
export type Conversations = ReturnType<typeof createConversations>

/** The topic of the conversation that a message belongs to. */
export function topicOf({ topic }: { topic?: unknown }): string {
  return topic === undefined ? '' : String(topic)
}
