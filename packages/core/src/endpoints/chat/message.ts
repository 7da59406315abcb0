import type { z } from 'zod'
import type { ChatMessage, ChatTurn, chatUsageSchema } from '../../wire/chat.ts'

/** A function that the model wants called. */
export interface ToolCall {
  id: string
  name: string
  /** JSON in a text, as the model wrote it: parse it with care. */
  arguments: string
}

/** A bit of a tool call; those of the same index belong together. */
export interface ToolCallDelta {
  index: number
  id?: string
  name?: string
  /** The next bit of the text. */
  arguments?: string
}

/** What the service counted, in tokens. */
export interface ChatUsage {
  promptTokens: number
  completionTokens: number
  totalTokens: number
  /** Those of `completionTokens` that went into reasoning. */
  reasoningTokens: number | undefined
}

/** Speech in the answer, where the request asked for it. */
export interface ChatAudio {
  /** PCM: signed 16-bit little-endian, mono, 48 kHz, without a header. */
  audio: Uint8Array
  /** What is said in it. */
  transcript: string
}

export function readChatUsage(
  usage: z.infer<typeof chatUsageSchema> | null | undefined,
): ChatUsage | undefined {
  if (!usage) return undefined
  const promptTokens = usage.prompt_tokens ?? 0
  const completionTokens = usage.completion_tokens ?? 0
  return {
    promptTokens,
    completionTokens,
    totalTokens: usage.total_tokens ?? promptTokens + completionTokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? undefined,
  }
}

/** What the model says; a refusal is what it says when it says nothing else. */
export function readContent({ content, refusal }: ChatTurn): string {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content
  return text || refusal || ''
}

export function readReasoning(turn: ChatTurn): string {
  return turn.reasoning_content || turn.reasoning || ''
}

export function readChatAudio({ audio }: ChatTurn): ChatAudio | undefined {
  if (!audio?.data && !audio?.transcript) return undefined
  return { audio: Buffer.from(audio.data ?? '', 'base64'), transcript: audio.transcript ?? '' }
}

/** The fragments of tool calls in one turn. Where a service leaves out the index, an id starts the next call. */
export function readToolCalls(turn: ChatTurn, known: number): ToolCallDelta[] {
  let next = known
  return (turn.tool_calls ?? []).map((call) => {
    const index = call.index ?? (call.id ? next : Math.max(0, next - 1))
    next = Math.max(next, index + 1)
    return {
      index,
      ...(call.id && { id: call.id }),
      ...(call.function?.name && { name: call.function.name }),
      ...(call.function?.arguments && { arguments: call.function.arguments }),
    }
  })
}

/** The assistant's turn as it goes into the `messages` of the next request. */
export function assistantMessage(content: string, toolCalls: readonly ToolCall[]): ChatMessage {
  if (toolCalls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    content: content || null,
    tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  }
}
