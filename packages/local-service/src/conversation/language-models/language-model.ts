import type { ChatMessage, RealtimeSession, RealtimeTool } from '@parlando/core/wire'

/** Writes the responses of a session. */
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
  /** The last output. @property incompleteReason why the model wrote no more; undefined if it had finished. */
  | { type: 'end'; incompleteReason?: IncompleteReason | undefined; usage: ModelUsage }

/** A limit of tokens, or the rules of the server about what a model may say. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter'

export interface ModelToolCall {
  type: 'toolCall'
  callId: string
  name: string
  /** JSON text, never empty. */
  arguments: string
}

/** How many tokens the model has read and written. */
export interface ModelUsage {
  input: number
  output: number
}
