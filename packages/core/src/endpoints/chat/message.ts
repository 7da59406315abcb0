import type { z } from 'zod'
import type { HttpResponse } from '../../http/response.ts'
import type { ChatMessage, ChatTurn, chatUsageSchema } from '../../wire/chat-completion.ts'
import type { ToolCall } from '../../wire/tool-calls.ts'
import { readAudio } from '../base64-audio.ts'

/** The usage that the service counted, in tokens. */
export interface ChatUsage {
  promptTokens: number
  completionTokens: number
  totalTokens: number
  /** The share of `completionTokens` used for reasoning. */
  reasoningTokens: number | undefined
}

/** The response as speech, if the request asked for `audio`. */
export interface ChatAudio {
  /** PCM: signed 16-bit little-endian, mono, 48 kHz, without a header. */
  audio: Uint8Array
  /** The spoken text. */
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

/** The text of the model, or its refusal if it contains nothing else. */
export function readContent({ content, refusal }: ChatTurn): string {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content
  return text || refusal || ''
}

export function readReasoning(turn: ChatTurn): string {
  return turn.reasoning_content || turn.reasoning || ''
}

export function readChatAudio(
  { audio }: ChatTurn,
  response: Pick<HttpResponse, 'bad'>,
): ChatAudio | undefined {
  if (!audio?.data && !audio?.transcript) return undefined
  return { audio: readAudio(response, audio.data), transcript: audio.transcript ?? '' }
}

/** The response as it goes into the `messages` of the next request. */
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
