import type { RealtimeItem } from '@parlando/core/wire'
import type { IncompleteReason, ModelUsage } from '../../chat/language-model.ts'
import { type ErrorBody, toErrorBody } from '../server-events.ts'
import type { SpeechOutput } from '../session-settings.ts'

/** How a response has ended. */
export type Ending =
  | { status: 'completed' }
  | { status: 'cancelled'; reason: 'turn_detected' | 'client_cancelled' }
  | { status: 'incomplete'; reason: IncompleteReason }
  | { status: 'failed'; error: unknown }

interface ResponseFacts {
  id: string
  items: readonly RealtimeItem[]
  hasAudio: boolean
  conversationId: string | null
  maxTokens: number | 'inf'
  outputSettings: SpeechOutput
  metadata: Record<string, string> | null
}

/** A response in the form of its first and last event. @param ended undefined for a response in progress. */
export function reportResponse(
  facts: ResponseFacts,
  ended?: { ending: Ending; usage: ModelUsage },
) {
  return {
    id: facts.id,
    object: 'realtime.response',
    status: ended?.ending.status ?? 'in_progress',
    status_details: ended ? toDetails(ended.ending) : null,
    output: [...facts.items],
    conversation_id: facts.conversationId,
    output_modalities: [facts.hasAudio ? 'audio' : 'text'],
    max_output_tokens: facts.maxTokens,
    audio: { output: facts.outputSettings },
    usage: ended ? toUsage(ended.usage) : null,
    metadata: facts.metadata,
  }
}

type Details = { type: string; reason?: string; error?: ErrorBody }

function toDetails(ending: Ending): Details | null {
  const { status: type } = ending
  if (type === 'completed') return null
  if (type === 'failed') return { type, error: toErrorBody(ending.error) }
  return { type, reason: ending.reason }
}

/** Clients expect every field. */
function toUsage({ input, output }: ModelUsage) {
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: input,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: 0,
      cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: output, audio_tokens: 0 },
  }
}
