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

export type ModelOutput =
  /** The next characters; never empty. */
  | { type: 'text'; text: string }
  | ToolCall
  /** The last output. */
  | { type: 'end'; isCut: boolean; usage: ModelUsage }

export interface ToolCall {
  type: 'toolCall'
  callId: string
  name: string
  /** JSON text, never empty. */
  arguments: string
}

/** In tokens. */
export interface ModelUsage {
  input: number
  output: number
}
