import {
  parseInWords,
  type RealtimeItem,
  type RealtimeNewItem,
  realtimeNewItemSchema,
} from '@parlando/core/wire'
import type { ConversationItems, Entry } from './conversation-items.ts'
import { newId, SessionError } from './server-events.ts'

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

/**
 * An item of `response.input`, which may refer to one of the conversation.
 * @throws {SessionError} if it is malformed, or if the item that it refers to is unknown.
 */
export function readInputItem(item: unknown, conversation: ConversationItems): Entry {
  const { type, id } = Object(item) as { type?: unknown; id?: unknown }
  if (type === 'item_reference' && typeof id === 'string') {
    return conversation.find(id, 'retrieve')
  }
  return { item: toItem(parseNewItem(item)) }
}

function parseNewItem(value: unknown): RealtimeNewItem {
  const parsed = parseInWords(realtimeNewItemSchema, value)
  if ('data' in parsed) return parsed.data
  throw new SessionError(
    'invalid_value',
    `response.input: ${parsed.problems.join('; ')}`,
    'response.input',
  )
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
