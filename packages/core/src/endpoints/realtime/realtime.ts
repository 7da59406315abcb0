import { randomUUID } from 'node:crypto'
import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { InputError, ParlandoError, TimeoutError } from '../../errors.ts'
import type { Call, CallOptions } from '../../http/call.ts'
import type { Socket } from '../../http/socket.ts'
import { parseInput } from '../../parse-input.ts'
import type { Sink, StreamControl } from '../../streams/sink.ts'
import { createStream } from '../../streams/stream.ts'
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
import { createAudioPieces } from '../audio-pieces.ts'
import type { EndpointContext } from '../context.ts'
import { createConversation } from './conversation.ts'
import { createLastingSocket, type LastingSocket } from './lasting-socket.ts'
import { type RealtimeEvent, readRealtimeMessage } from './realtime-event.ts'

const what = 'Conversation'

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

const defaultIdleTimeoutMs = 600_000

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
   * @throws {InputError} if no call with this id waits for a result.
   */
  sendToolResult(callId: string, result: string): void
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
  { transport }: EndpointContext,
  request: RealtimeRequest,
  call: Call,
): RealtimeConversation {
  const session = parseInput(realtimeSessionSchema, request.session, `${what} settings`)
  const options = parseInput(optionsSchema, request.options, `${what} options`)
  const { idleTimeoutMs = defaultIdleTimeoutMs, reconnect = true } = options
  const isPcm = (session.audio?.input?.format?.type ?? 'audio/pcm') === 'audio/pcm'
  const toPieces = createAudioPieces(isPcm ? 2 : 1)
  const leaving = new AbortController()
  let socket: LastingSocket
  let sink: Sink<RealtimeEvent>
  let isReconnecting = false
  /** Whether something was said over this connection. */
  let isUsed = false
  /** The reason why nothing more can be sent. */
  let outcome: { error: unknown } | undefined

  const send = (event: RealtimeClientEvent) => {
    if (outcome) return
    if (event.type !== 'input_audio_buffer.append') idle.refresh()
    socket.send(JSON.stringify(event))
  }
  const conversation = createConversation({ session, send, emit: (event) => sink.next(event) })

  const finish = (error: unknown, report: () => void) => {
    if (outcome) return
    outcome = { error }
    clearTimeout(idle)
    conversation.close()
    socket.close()
    report()
  }
  const fail = (error: unknown) => finish(error, () => sink.error(error))
  const idle = setTimeout(() => {
    if (conversation.unplayedMs > 0) return void idle.refresh()
    fail(idleTooLong(idleTimeoutMs))
  }, idleTimeoutMs)

  const onMessage = (message: string, { badMessage }: Socket) => {
    if (outcome) return
    const content = readRealtimeMessage(message)
    if ('violation' in content) return fail(badMessage(content.violation))
    if ('unknown' in content) return sink.next({ type: 'unknown', event: content.unknown })
    const { type } = content.event
    isUsed ||= type === 'input_audio_buffer.committed' || type === 'response.created'
    idle.refresh()
    conversation.receive(content.event)
  }

  const connect = (events: Sink<RealtimeEvent>): StreamControl => {
    sink = events
    let isResponseLost = false
    let restoredItems = 0
    const attempt = { ...call, signal: leaving.signal }
    socket = createLastingSocket({
      open: (receiver) => transport.openSocket({ what, path: newPath() }, attempt, receiver),
      greeting() {
        const greeting = conversation.beginSession()
        restoredItems = greeting.length - 1
        return greeting.map((event) => JSON.stringify(event))
      },
      onMessage,
      onEnd: () => finish(conversationEnded(), sink.end),
      onError: fail,
      onLost(error) {
        if (!reconnect || !isUsed || !(ParlandoError.isInstance(error) && error.retryable)) {
          return false
        }
        isUsed = false
        isReconnecting = true
        isResponseLost = conversation.isResponding
        sink.next({ type: 'reconnecting', error })
        return true
      },
      onReopened() {
        isReconnecting = false
        sink.next({ type: 'restored', items: restoredItems, isResponseLost })
      },
    })
    return {
      pause: socket.pause,
      resume: socket.resume,
      close() {
        outcome ??= { error: call.signal?.aborted ? call.signal.reason : conversationEnded() }
        clearTimeout(idle)
        conversation.close()
        leaving.abort()
        socket.close()
      },
    }
  }

  const stream = createStream(connect, {
    what: 'conversation',
    signal: call.signal,
    maxWaitingItems: maxWaitingEvents,
    toBytes: () => new Uint8Array(),
  })
  // Starts to connect.
  const events = stream[Symbol.asyncIterator]()
  let isConsumed = false

  const throwIfOver = () => {
    if (outcome) throw outcome.error
  }
  const sendAudio = async (audio: Uint8Array): Promise<void> => {
    if (!isUint8Array(audio)) throw new InputError(`${what} failed: sendAudio takes bytes`)
    throwIfOver()
    if (isReconnecting) return
    if (socket.waitingBytes + (audio.length * 4) / 3 > maxWaitingBytes) {
      const message = `${what} failed: more than ${maxWaitingBytes} bytes would wait to be sent; wait for each sendAudio, and send smaller pieces`
      throw new InputError(message)
    }
    for (const piece of toPieces(audio)) send({ type: 'input_audio_buffer.append', audio: piece })
    await socket.drained()
    throwIfOver()
  }

  return {
    get requestId() {
      return socket.requestId
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
      send({ type: 'input_audio_buffer.commit' })
      conversation.respond()
    },
    sendText(text) {
      const content = [{ type: 'input_text' as const, text }]
      const item = { type: 'message' as const, role: 'user' as const, content }
      send({ type: 'conversation.item.create', item })
      conversation.respond()
    },
    sendToolResult: conversation.sendToolResult,
    respond: conversation.respond,
    interrupt: conversation.interrupt,
    updateSession(update) {
      conversation.updateSession(parseInput(realtimeSessionSchema, update, `${what} settings`))
    },
    reportPlayed: conversation.reportPlayed,
    send(event) {
      send(parseInput(realtimeClientEventSchema, event, `${what} event`))
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) throw new InputError(`A conversation can be consumed once; make a new one`)
      isConsumed = true
      return events
    },
    close: stream.close,
    [Symbol.asyncDispose]: stream.close,
  }
}

/** A new session id: the client restores a conversation itself. */
function newPath(): string {
  return `/api/v1/realtime/session?key=${randomUUID()}&protocol=realtime`
}

function conversationEnded(): InputError {
  return new InputError(`${what} failed: it has ended`)
}

function idleTooLong(timeoutMs: number): TimeoutError {
  const message = `${what} ended: nobody said anything for ${timeoutMs} ms (idleTimeoutMs)`
  return new TimeoutError(message, { phase: 'next byte', timeoutMs, retryable: false })
}
