import { isBase64 } from '../../wire/decode.ts'
import {
  type RealtimeServerEvent,
  realtimeServerEventSchema,
} from '../../wire/realtime-server-events.ts'
import { type MessageSource, parseMessage, rejectProblem } from '../socket-message.ts'
import type { UnheardSpeech } from './response-playback.ts'

export type AudioDelta = Extract<RealtimeServerEvent, { type: 'response.output_audio.delta' }>

/** A piece of speech, in the output format of the session. */
export type RealtimeAudio = Omit<AudioDelta, 'delta'> & {
  type: AudioDelta['type']
  response_id: string
  item_id: string
  audio: Uint8Array
}

/** Something that happens in a conversation. Events with a dot in their type are those of the service. */
export type RealtimeEvent =
  | Exclude<RealtimeServerEvent, AudioDelta>
  | RealtimeAudio
  /**
   * The user may be interrupting: the player must stop and drop all speech that it has. `resumed` or `interrupted`
   * follows; speech that arrives meanwhile waits.
   */
  | { type: 'paused' }
  /**
   * It was a noise, or a word to which the service did not respond: the player continues with this speech, of which it has
   * already played `playedMs` of the first item.
   * `isComplete`: the response has ended, so no other speech follows.
   */
  | { type: 'resumed'; speech: readonly RealtimeAudio[]; playedMs: number; isComplete: boolean }
  /** The player must stop and drop all speech that it has. The client has already reported to the service what was heard. */
  | { type: 'interrupted'; unheard: readonly UnheardSpeech[] }
  /** The connection was lost. Audio is dropped until `restored`, which follows, or the loop throws. */
  | { type: 'reconnecting'; error: unknown }
  /**
   * A new session has the settings and, as text, the items of the conversation.
   * `isResponseLost`: a response was in progress or requested; `respond` requests it again.
   */
  | { type: 'restored'; items: number; isResponseLost: boolean }
  /** An event that this version does not know, unchanged. */
  | { type: 'unknown'; event: Readonly<Record<string, unknown>> }

/**
 * Reads a message of the service.
 * @returns the event, or one that this version does not know.
 * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`.
 */
export function readRealtimeMessage(
  message: string,
  source: MessageSource,
): { event: RealtimeServerEvent } | { unknown: Readonly<Record<string, unknown>> } {
  const json = parseMessage(message, source)
  const parsed = realtimeServerEventSchema.safeParse(json)
  if (parsed.success) {
    const event = parsed.data
    if (event.type !== 'response.output_audio.delta' || isBase64(event.delta)) return { event }
    throw source.bad('the audio in a message of the service is not base64')
  }
  const { type } = (json ?? {}) as { type?: unknown }
  if (typeof type === 'string') return { unknown: json as Record<string, unknown> }
  rejectProblem(json, source)
  throw source.bad('a message of the service has no type')
}
