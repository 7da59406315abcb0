import type { ChatDelta, ChatMessage, ChatRequest, ChatStream } from '@parlando/core'
import { maxToolRounds, type ServedTools } from '../../mcp/tool-server.ts'
import type { ChatAnswer } from './answer-messages.ts'

export interface ToolChat {
  request: ChatRequest
  served: ServedTools
  ask(request: ChatRequest): ChatStream
  /** Called when the language model calls tools. */
  onCalls(): void
}

/**
 * An answer for which the language model calls tools of a server: the calls are made, and the model is asked again with their
 * results, until it calls none. Calls of other tools end the answer, in `toolCalls`.
 */
export class ChatWithTools implements ChatAnswer {
  /** The turns between the question and the end of the answer: calls and results. */
  readonly turns: ChatMessage[] = []
  readonly #chat: ToolChat
  #stream: ChatStream | undefined
  #said = ''
  #thought = ''
  #usage: ChatStream['usage']

  constructor(chat: ToolChat) {
    this.#chat = chat
  }

  get content(): string {
    return this.#said + (this.#stream?.content ?? '')
  }
  get reasoning(): string {
    return this.#thought + (this.#stream?.reasoning ?? '')
  }
  get toolCalls(): ChatStream['toolCalls'] {
    const { served } = this.#chat
    return (this.#stream?.toolCalls ?? []).filter(({ name }) => !served.has(name))
  }
  get finishReason() {
    return this.#stream?.finishReason
  }
  get model() {
    return this.#stream?.model
  }
  /** The usage of all requests together. */
  get usage() {
    return sum(this.#usage, this.#stream?.usage)
  }
  get message(): ChatMessage {
    return { role: 'assistant', content: this.content }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChatDelta, void> {
    const { request, served, ask, onCalls } = this.#chat
    const tools = [...(request.tools ?? []), ...served.list.map(toChatTool)]
    const base = { ...request, ...(tools.length > 0 && { tools }) }
    for (let round = 0; ; round++) {
      const isLast = round === maxToolRounds && tools.length > 0
      const messages = [...request.messages, ...this.turns]
      const stream = ask({ ...base, messages, ...(isLast && { tool_choice: 'none' }) })
      this.#stream = stream
      yield* stream
      const calls = stream.toolCalls.filter(({ name }) => served.has(name))
      // A tool must not be called with half of its arguments.
      if (calls.length === 0 || isCut(stream)) return
      onCalls()
      const results = await Promise.all(calls.map((call) => served.call(call.name, call.arguments)))
      this.turns.push(stream.message, ...results.map((text, i) => toResult(calls[i]!.id, text)))
      if (this.toolCalls.length > 0 || isLast) return
      yield* this.#endRound(stream)
    }
  }

  /** Keeps what this round has said. The next one begins with another word. */
  *#endRound({ content, reasoning, usage }: ChatStream): Generator<ChatDelta, void> {
    const space = content === '' || /\s$/.test(content) ? '' : ' '
    this.#said += content + space
    this.#thought += reasoning
    this.#usage = sum(this.#usage, usage)
    this.#stream = undefined
    if (space) yield { content: space }
  }
}

/** Whether a limit or a filter has ended the response before the model did. */
function isCut({ finishReason }: ChatStream): boolean {
  return finishReason === 'length' || finishReason === 'content_filter'
}

function toChatTool({ name, description, parameters }: ServedTools['list'][number]) {
  return { type: 'function' as const, function: { name, description, parameters } }
}

function toResult(callId: string, content: string): ChatMessage {
  return { role: 'tool', tool_call_id: callId, content }
}

type Usage = ChatStream['usage']

function sum(one: Usage, other: Usage): Usage {
  if (!one || !other) return one ?? other
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    reasoningTokens: (one.reasoningTokens ?? 0) + (other.reasoningTokens ?? 0) || undefined,
  }
}
