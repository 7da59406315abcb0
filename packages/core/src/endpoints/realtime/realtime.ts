import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { type ApiError, InputError } from '../../errors.ts'
import type { Call, CallOptions, ResolvedOptions } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { createItemStream, readAhead } from '../../streams/stream.ts'
import { strictObject } from '../../wire/object-schema.ts'
import {
  type RealtimeClientEvent,
  realtimeClientEventSchema,
} from '../../wire/realtime-client-events.ts'
import {
  type RealtimeResponseSettings,
  type RealtimeSession,
  realtimeSessionSchema,
} from '../../wire/realtime-session.ts'
import { createAudioPieces } from '../base64-audio.ts'
import type { EndpointContext } from '../response-source.ts'
import { RealtimeConnection } from './realtime-connection.ts'
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

/** Options of a conversation. `timeoutMs` limits the whole conversation. */
export interface RealtimeOptions extends CallOptions {
  /** Ends a conversation in which nobody has said anything for this time, in milliseconds. Default 600,000. */
  idleTimeoutMs?: number
  /**
   * Whether the client opens a new session when the connection is lost, and sends the settings and the items of the
   * conversation again, as text. It does so only if something was said over the lost connection. Default true.
   */
  reconnect?: boolean
}

/**
 * A spoken conversation with a language model: send audio and, at the same time, read events. It connects at once. The
 * loop receives the error of the conversation after the events before it. After the end, methods have no effect.
 */
export interface RealtimeConversation extends AsyncIterable<RealtimeEvent>, AsyncDisposable {
  /** The `X-Request-Id` of the connection; `undefined` while there is none. */
  readonly requestId: string | undefined
  /** How long a player still needs for the speech that the client has received, by the clock or by `reportPlayed`. */
  readonly unplayedMs: number
  /**
   * Sends what the user says, in the input format of the session, by default PCM: mono, signed 16-bit little-endian,
   * 24 kHz. Pieces can have any size. Before the first connection is open, audio waits; while the client reconnects, it
   * drops audio.
   * @returns a promise that resolves when the connection takes more. Audio that arrives in real time need not wait for it;
   * a rejection that nothing waits for has no effect.
   * @throws {InputError} after the end, and when 16 MiB are waiting.
   */
  sendAudio(audio: Uint8Array): Promise<void>
  /** Ends the turn of the user and requests a response. With turn detection, the service does this itself. */
  endTurn(): void
  /** Sends a message of the user as text and requests a response. */
  sendText(text: string): void
  /**
   * Sends the result of a tool that the model called. When all calls have a result, requests a response.
   * @param response overrides the settings of the session for that response.
   * @throws {InputError} if no call with this id waits for a result.
   */
  sendToolResult(callId: string, result: string, response?: RealtimeResponseSettings): void
  /** Requests a response, as soon as none is in progress. The settings override those of the session. */
  respond(response?: RealtimeResponseSettings): void
  /** Cancels the response, and reports to the service what the user has heard. An `interrupted` event follows. */
  interrupt(): void
  /** Changes the given settings and keeps the others. @throws {InputError} if they are not valid. */
  updateSession(session: RealtimeSession): void
  /**
   * Reports how much of an item a player has played, in milliseconds. Without reports, the client assumes that a player
   * plays speech as soon as it receives it.
   */
  reportPlayed(itemId: string, playedMs: number): void
  /** Sends any other event. @throws {InputError} if it is not valid. */
  send(event: RealtimeClientEvent): void
  /**
   * The error that an event reports, with its code and whether a retry may succeed.
   * @param reported the `error` of an `error` event, of a transcription that failed, or of a response that failed.
   * @throws {InputError} before the first event.
   */
  errorOf(reported: object): ApiError
  /**
   * Can be called once. Leaving the loop early ends the conversation. Up to 64 events, and those of one more network
   * read, wait for the loop; then the client reads no more, and notices no interruption.
   */
  [Symbol.asyncIterator](): AsyncIterator<RealtimeEvent, undefined>
  /** Closes the connection and drops the waiting events. A loop that waits for an event ends. */
  close(): Promise<void>
}

/** What to begin a conversation with. */
export interface RealtimeRequest {
  session: RealtimeSession
  options: Omit<RealtimeOptions, keyof CallOptions>
}

/** Opens the socket `/api/v1/realtime/session`. @throws {InputError} at once if the settings are not valid. */
export function realtime(
  { transport, options: clientOptions }: EndpointContext,
  request: RealtimeRequest,
  call: Call,
): RealtimeConversation {
  const given = parseInput(realtimeSessionSchema, request.session, 'Conversation settings')
  const session = withPronunciations(given, clientOptions.pronunciations)
  const options = parseInput(optionsSchema, request.options, 'Conversation options')
  const { idleTimeoutMs = defaultIdleTimeoutMs, reconnect = true } = options
  const connection = new RealtimeConnection({ transport, call, session, idleTimeoutMs, reconnect })
  const { conversation } = connection
  const sendAudio = createAudioSender(connection, call.what)
  const stream = createItemStream<RealtimeEvent>((sink) => connection.connect(sink), {
    what: 'conversation',
    signal: call.signal,
    maxWaitingItems: maxWaitingEvents,
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
    sendToolResult: (callId, result, response) =>
      conversation.sendToolResult(callId, result, response),
    respond: (response) => conversation.respond(response),
    interrupt: () => conversation.interrupt(),
    updateSession(update) {
      conversation.updateSession(parseInput(realtimeSessionSchema, update, 'Conversation settings'))
    },
    reportPlayed: (itemId, playedMs) => conversation.reportPlayed(itemId, playedMs),
    send(given) {
      conversation.send(parseInput(realtimeClientEventSchema, given, 'Conversation event'))
    },
    errorOf: (reported) => connection.errorOf(reported),
    [Symbol.asyncIterator]: events,
    close: stream.close,
    [Symbol.asyncDispose]: stream.close,
  }
}

/** The service writes the responses, so it has to know how their words are said. */
function withPronunciations(
  session: RealtimeSession,
  pronunciations: ResolvedOptions['pronunciations'],
): RealtimeSession {
  if (pronunciations.length === 0) return session
  return { ...session, providerData: { pronunciations, ...session.providerData } }
}

const sampleBytes = { 'audio/pcm': 2, 'audio/pcmu': 1, 'audio/pcma': 1 } as const

/** @returns a function that sends audio in whole samples. It resolves when the connection takes more. */
function createAudioSender(connection: RealtimeConnection, what: string) {
  let format = connection.conversation.inputFormat
  let toPieces = createAudioPieces(sampleBytes[format])
  return async (bytes: Uint8Array): Promise<void> => {
    if (!isUint8Array(bytes)) throw new InputError(`${what} failed: sendAudio takes bytes`)
    connection.throwIfOver()
    if (connection.isReconnecting) return
    if (connection.waitingBytes + (bytes.length * 4) / 3 > maxWaitingBytes) {
      const message = `${what} failed: more than ${maxWaitingBytes} bytes would wait to be sent; wait for each sendAudio, and send smaller pieces`
      throw new InputError(message)
    }
    const { inputFormat } = connection.conversation
    // Half a sample of another format belongs to nothing.
    if (inputFormat !== format) toPieces = createAudioPieces(sampleBytes[inputFormat])
    format = inputFormat
    for (const piece of toPieces(bytes)) {
      connection.send({ type: 'input_audio_buffer.append', audio: piece })
    }
    await connection.drained()
    connection.throwIfOver()
  }
}
