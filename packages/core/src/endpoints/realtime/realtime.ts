import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { InputError } from '../../errors.ts'
import type { Call, CallOptions } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { createStream, readAhead } from '../../streams/stream.ts'
import { strictObject } from '../../wire/object-schema.ts'
import { realtimeClientEventSchema } from '../../wire/realtime-client-events.ts'
import { type RealtimeSession, realtimeSessionSchema } from '../../wire/realtime-session.ts'
import { createAudioPieces } from '../base64-audio.ts'
import type { EndpointContext } from '../response-source.ts'
import { RealtimeConnection } from './realtime-connection.ts'
import type { RealtimeConversation, RealtimeOptions } from './realtime-conversation.ts'
import type { RealtimeEvent } from './realtime-event.ts'

/** Six minutes of PCM in base64. It waits only if the caller does not wait for `sendAudio`. */
const maxWaitingBytes = 16 * 1024 * 1024
/** A few seconds of speech, so that a reader that is busy for a moment does not delay an interruption. */
const maxWaitingEvents = 64

const optionsSchema = strictObject({
  idleTimeoutMs: z
    .number()
    .min(1)
    .max(2 ** 31 - 1)
    .optional(),
  reconnect: z.boolean().optional(),
})

const defaultIdleTimeoutMs = 600_000

/** What to begin a conversation with. */
export interface RealtimeRequest {
  session: RealtimeSession
  options: Omit<RealtimeOptions, keyof CallOptions>
}

/** Opens the socket `/api/v1/realtime/session`. @throws {InputError} at once if the settings are not valid. */
export function realtime(
  { transport }: EndpointContext,
  request: RealtimeRequest,
  call: Call,
): RealtimeConversation {
  const session = parseInput(realtimeSessionSchema, request.session, 'Conversation settings')
  const options = parseInput(optionsSchema, request.options, 'Conversation options')
  const { idleTimeoutMs = defaultIdleTimeoutMs, reconnect = true } = options
  const connection = new RealtimeConnection({ transport, call, session, idleTimeoutMs, reconnect })
  const { conversation } = connection
  const sendAudio = createAudioSender(connection, session, call.what)
  const stream = createStream<RealtimeEvent>((sink) => connection.connect(sink), {
    what: 'conversation',
    signal: call.signal,
    maxWaitingItems: maxWaitingEvents,
    toBytes: () => new Uint8Array(),
  })
  // Starts to connect.
  const events = readAhead(stream, 'A conversation')

  return {
    get requestId() {
      return connection.requestId
    },
    get unplayedMs() {
      return conversation.unplayedMs
    },
    sendAudio(audio) {
      const sending = sendAudio(audio)
      // A caller that does not wait must not cause an unhandled rejection.
      sending.catch(() => {})
      return sending
    },
    endTurn() {
      connection.send({ type: 'input_audio_buffer.commit' })
      conversation.respond()
    },
    sendText(text) {
      const content = [{ type: 'input_text' as const, text }]
      conversation.addItem({ type: 'message', role: 'user', content })
      conversation.respond()
    },
    sendToolResult: (callId, result) => conversation.sendToolResult(callId, result),
    respond: (response) => conversation.respond(response),
    interrupt: () => conversation.interrupt(),
    updateSession(update) {
      conversation.updateSession(parseInput(realtimeSessionSchema, update, 'Conversation settings'))
    },
    reportPlayed: (itemId, playedMs) => conversation.reportPlayed(itemId, playedMs),
    send(given) {
      const event = parseInput(realtimeClientEventSchema, given, 'Conversation event')
      if (event.type !== 'conversation.item.create') return connection.send(event)
      const { item, ...facts } = event
      conversation.addItem(item, facts)
    },
    [Symbol.asyncIterator]: events,
    close: stream.close,
    [Symbol.asyncDispose]: stream.close,
  }
}

/** @returns a function that sends audio in whole samples. It resolves when the connection takes more. */
function createAudioSender(
  connection: RealtimeConnection,
  { audio }: RealtimeSession,
  what: string,
) {
  const isPcm = (audio?.input?.format?.type ?? 'audio/pcm') === 'audio/pcm'
  const toPieces = createAudioPieces(isPcm ? 2 : 1)
  return async (bytes: Uint8Array): Promise<void> => {
    if (!isUint8Array(bytes)) throw new InputError(`${what} failed: sendAudio takes bytes`)
    connection.throwIfOver()
    if (connection.isReconnecting) return
    if (connection.waitingBytes + (bytes.length * 4) / 3 > maxWaitingBytes) {
      const message = `${what} failed: more than ${maxWaitingBytes} bytes would wait to be sent; wait for each sendAudio, and send smaller pieces`
      throw new InputError(message)
    }
    for (const piece of toPieces(bytes)) {
      connection.send({ type: 'input_audio_buffer.append', audio: piece })
    }
    await connection.drained()
    connection.throwIfOver()
  }
}
