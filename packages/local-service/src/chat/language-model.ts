import type { ChatMessage, RealtimeSession, RealtimeTool } from '@parlando/core/wire'

/** Writes the responses of a session: the echo, or a model of the upstream. */
export interface LanguageModel {
  /**
   * Streams a response.
   * @throws {ServiceError} if the model fails. After an abort, the signal's reason.
   */
  respond(request: ModelRequest): AsyncIterable<ModelOutput>
}

export interface ModelRequest {
  messages: readonly ChatMessage[]
  tools: readonly RealtimeTool[]
  toolChoice: NonNullable<RealtimeSession['tool_choice']>
  maxTokens: number | 'inf'
  /** Default: that of the model. */
  temperature: number | null
  signal: AbortSignal
}

/** How much of the text of a model is used. One that never ends would fill the memory and the conversation. */
export const maxTextCharacters = 20_000

export type ModelOutput =
  /** The next characters; never empty. */
  | { type: 'text'; text: string }
  | ModelToolCall
  /** The last output. The reason is absent if the model has written all of its response. */
  | { type: 'end'; incompleteReason?: IncompleteReason; usage: ModelUsage }

/** A limit of tokens, or the rules of the server about what a model may say. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter'

/** @param finishReason of a chat completion. @returns nothing if the response is complete. */
export function incompleteReasonOf(finishReason: string | undefined): IncompleteReason | undefined {
  if (finishReason === 'length') return 'max_output_tokens'
  return finishReason === 'content_filter' ? finishReason : undefined
}

export interface ModelToolCall {
  type: 'toolCall'
  /** Absent if the model has given it none. */
  callId?: string
  name: string
  /** JSON text, never empty. */
  arguments: string
}

/** How many tokens the model has read and written. */
export interface ModelUsage {
  input: number
  output: number
}
