import { randomUUID } from 'node:crypto'
import { InputError, TimeoutError } from '../../errors.ts'
import { type Call, purposeOf } from '../../http/call.ts'
import type { Socket } from '../../http/socket.ts'
import type { Transport } from '../../http/transport.ts'
import type { Sink, Source } from '../../streams/sink.ts'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeSession } from '../../wire/realtime-session.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { createLastingSocket, type LastingSocket } from './lasting-socket.ts'
import { type RealtimeEvent, readRealtimeMessage } from './realtime-event.ts'
import { createRecovery } from './recovery.ts'

/** The kind of call. */
export const kind = 'Conversation'

/** A conversation and its connection. */
export interface Connection {
  readonly conversation: Conversation
  /** The `X-Request-Id` of the connection; `undefined` while there is none. */
  readonly requestId: string | undefined
  /** Whether the connection is lost and not yet replaced. */
  readonly isReconnecting: boolean
  /** The size of the messages that wait for the connection. */
  readonly waitingBytes: number
  /** Opens the connection. */
  readonly connect: Source<RealtimeEvent>
  send(event: RealtimeClientEvent): void
  /** Resolves when the connection takes more messages. */
  drained(): Promise<void>
  /** @throws the reason why nothing more can be sent. */
  throwIfOver(): void
}

export interface ConnectionOptions {
  transport: Transport
  call: Call
  session: RealtimeSession
  idleTimeoutMs: number
  reconnect: boolean
}

export function createConnection(options: ConnectionOptions): Connection {
  const { transport, call, session, idleTimeoutMs, reconnect } = options
  const what = purposeOf(call, kind)
  const leaving = new AbortController()
  let socket: LastingSocket
  let sink: Sink<RealtimeEvent>
  /** The reason why nothing more can be sent. */
  let outcome: { error: unknown } | undefined

  const emit = (event: RealtimeEvent) => sink.next(event)
  const send = (event: RealtimeClientEvent) => {
    if (outcome) return
    if (event.type !== 'input_audio_buffer.append') idle.refresh()
    // The messages that begin the next connection contain it.
    if (event.type === 'conversation.item.create' && recovery.isReconnecting) return
    socket.send(JSON.stringify(event))
  }
  const conversation = createConversation({ what, session, send, emit })
  const recovery = createRecovery({ conversation, isWanted: reconnect, emit })

  const end = (error: unknown, report = () => {}) => {
    if (outcome) return
    outcome = { error }
    clearTimeout(idle)
    conversation.close()
    leaving.abort()
    socket.close()
    report()
  }
  const fail = (error: unknown) => end(error, () => sink.error(error))
  const idle = setTimeout(() => {
    if (conversation.unplayedMs > 0) return void idle.refresh()
    fail(idleTooLong(what, idleTimeoutMs))
  }, idleTimeoutMs)

  const onMessage = (message: string, { badMessage, errorOf }: Socket) => {
    if (outcome) return
    const content = readRealtimeMessage(message)
    if ('violation' in content) return fail(badMessage(content.violation))
    if ('problem' in content) return fail(errorOf(content.problem))
    if ('unknown' in content) return emit({ type: 'unknown', event: content.unknown })
    idle.refresh()
    recovery.note(content.event)
    conversation.receive(content.event)
  }

  return {
    conversation,
    send,
    connect(events) {
      sink = events
      const attempt = { ...call, signal: leaving.signal }
      socket = createLastingSocket({
        open: (receiver) => transport.openSocket({ what, path: newPath() }, attempt, receiver),
        greeting: recovery.greeting,
        onMessage,
        onEnd: () => end(conversationEnded(what), sink.end),
        onError: fail,
        onLost: recovery.onLost,
        onReopened: recovery.onReopened,
      })
      const close = () => end(call.signal?.aborted ? call.signal.reason : conversationEnded(what))
      return { pause: socket.pause, resume: socket.resume, close }
    },
    get requestId() {
      return socket.requestId
    },
    get isReconnecting() {
      return recovery.isReconnecting
    },
    get waitingBytes() {
      return socket.waitingBytes
    },
    drained: () => socket.drained(),
    throwIfOver() {
      if (outcome) throw outcome.error
    },
  }
}

/** A new session id: the client restores a conversation itself. */
function newPath(): string {
  return `/api/v1/realtime/session?key=${randomUUID()}&protocol=realtime`
}

function conversationEnded(what: string): InputError {
  return new InputError(`${what} failed: it has ended`)
}

function idleTooLong(what: string, timeoutMs: number): TimeoutError {
  const message = `${what} ended: nobody said anything for ${timeoutMs} ms (idleTimeoutMs)`
  return new TimeoutError(message, { phase: 'next byte', timeoutMs, retryable: false })
}
