import {
  parseInWords,
  type RealtimeItem,
  type RealtimeNewItem,
  realtimeNewItemSchema,
} from '@parlando/core/wire'
import { newId } from './new-id.ts'
import { SessionError } from './session-error.ts'

/** @throws {SessionError} if the value is not an item. */
export function parseNewItem(value: unknown): RealtimeNewItem {
  const parsed = parseInWords(realtimeNewItemSchema, value)
  if ('data' in parsed) return parsed.data
  throw new SessionError(
    'invalid_value',
    `response.input: ${parsed.problems.join('; ')}`,
    'response.input',
  )
}

/**
 * Fills in what the client may leave out.
 * @throws {SessionError} for audio without a transcript: the service transcribes only the audio of the input buffer.
 */
export function toItem(given: RealtimeNewItem): RealtimeItem {
  const shared = {
    ...given,
    id: given.id ?? newId('item'),
    object: 'realtime.item',
    status: 'completed',
  }
  if (given.type === 'function_call') return { ...shared, call_id: given.call_id ?? newId('call') }
  if (given.type !== 'message') return shared
  return { ...shared, content: given.content.map(withoutAudio) }
}

type Content = Extract<RealtimeNewItem, { type: 'message' }>['content'][number]

function withoutAudio(part: Content): { type: string; text?: string; transcript?: string | null } {
  if (!('audio' in part)) return part
  const { audio, ...rest } = part
  if (audio === undefined || rest.transcript) return rest
  const message =
    'item.content: audio needs a transcript here; send audio to transcribe with input_audio_buffer.append'
  throw new SessionError('invalid_value', message, 'item.content')
}
