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
import { type RealtimeSession, realtimeSessionSchema } from '../../wire/realtime-session.ts'
import { createAudioPieces } from '../audio-pieces.ts'
import type { EndpointContext } from '../context.ts'
import { createConversation } from './conversation.ts'
import { createLastingSocket, type LastingSocket } from './lasting-socket.ts'
import type { RealtimeConversation, RealtimeOptions } from './realtime-conversation.ts'
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
