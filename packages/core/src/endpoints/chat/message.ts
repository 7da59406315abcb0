import type { z } from 'zod'
import type { HttpResponse } from '../../http/response.ts'
import type { ChatMessage, ChatTurn, chatUsageSchema } from '../../wire/chat-completion.ts'
import { readAudio } from '../base64-audio.ts'

/** A function that the model asks the caller to call. */
export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it: it may be invalid or not match the parameters of the function. */
  arguments: string
}

/** A part of a tool call; parts with the same index belong together. */
export interface ToolCallDelta {
  index: number
  id?: string
  name?: string
  /** The next characters of the JSON. */
  arguments?: string
}

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

type ToolCallPart = NonNullable<ChatTurn['tool_calls']>[number]

/** Assembles tool calls from their parts. */
export class ToolCallAssembly {
  readonly #calls = new Map<number, ToolCall>()
  /** The highest index so far. */
  #last = -1

  /** @returns the part with the index of its call, also if the service omits it. */
  add(part: ToolCallPart): ToolCallDelta {
    const index = part.index ?? this.#indexOf(part)
    const { name, arguments: text } = part.function ?? {}
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' }
    this.#calls.set(index, call)
    this.#last = Math.max(this.#last, index)
    call.id ||= part.id ?? ''
    call.name ||= name ?? ''
    call.arguments += text ?? ''
    return {
      index,
      ...(part.id && { id: part.id }),
      ...(name && { name }),
      ...(text && { arguments: text }),
    }
  }

  /** The tool calls received so far, in the order of their indexes. */
  get list(): ToolCall[] {
    return [...this.#calls.entries()]
      .sort(([first], [second]) => first - second)
      .map(([, call]) => ({ ...call }))
  }

  /** Where a part without an index belongs: to the last call, or to the next one, of which it has the id or the name. */
  #indexOf(part: ToolCallPart): number {
    const last = this.#last
    const call = this.#calls.get(last)
    const isOfNext = part.id ? part.id !== call?.id : Boolean(part.function?.name && call?.name)
    return isOfNext || !call ? last + 1 : last
  }
}
