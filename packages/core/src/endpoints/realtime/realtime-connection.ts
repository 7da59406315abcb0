import { randomUUID } from 'node:crypto'
import { type ApiError, InputError, ParlandoError, TimeoutError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import type { Socket } from '../../http/socket.ts'
import { statedProblem } from '../../http/stated-problem.ts'
import type { Transport } from '../../http/transport.ts'
import type { Sink, StreamControl } from '../../streams/sink.ts'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeSession } from '../../wire/realtime-session.ts'
import { ConversationState } from './conversation-state.ts'
import { createLastingSocket, type LastingSocket } from './lasting-socket.ts'
import { type RealtimeEvent, readRealtimeMessage } from './realtime-event.ts'

export interface RealtimeConnectionOptions {
  transport: Transport
  call: Call
  session: RealtimeSession
  idleTimeoutMs: number
  reconnect: boolean
}

/**
 * The messages that begin the next connection contain what these events change. A message that was spoken is text there, and the
 * service rejects to truncate it.
 */
const restoredEvents: readonly RealtimeClientEvent['type'][] = [
  'conversation.item.create',
  'conversation.item.truncate',
]

/** A conversation and its connection. */
export class RealtimeConnection {
  readonly conversation: ConversationState
  readonly #options: RealtimeConnectionOptions
  readonly #recovery: Recovery
  readonly #leaving = new AbortController()
  readonly #idle: NodeJS.Timeout
  #socket: LastingSocket | undefined
  #sink: Sink<RealtimeEvent> | undefined
  /** The connection of the last event. */
  #source: Socket | undefined
  /** The reason why nothing more can be sent. */
  #outcome: { error: unknown } | undefined

  constructor(options: RealtimeConnectionOptions) {
    const { call, session, idleTimeoutMs, reconnect } = options
    const { what } = call
    const emit = (event: RealtimeEvent) => this.#sink?.next(event)
    this.#options = options
    this.conversation = new ConversationState({
      what,
      session,
      send: (event) => this.send(event),
      emit,
    })
    this.#recovery = new Recovery({ conversation: this.conversation, isWanted: reconnect, emit })
    this.#idle = setTimeout(() => {
      if (this.conversation.unplayedMs > 0) return void this.#idle.refresh()
      this.#fail(idleTooLong(what, idleTimeoutMs))
    }, idleTimeoutMs)
  }

  /** The `X-Request-Id` of the connection; `undefined` while there is none. */
  get requestId(): string | undefined {
    return this.#socket?.requestId
  }

  /** Whether the connection is lost and not yet replaced. */
  get isReconnecting(): boolean {
    return this.#recovery.isReconnecting
  }

  /** The size of the messages that wait for the connection. */
  get waitingBytes(): number {
    return this.#socket?.waitingBytes ?? 0
  }

  /** Opens the connection. */
  connect(sink: Sink<RealtimeEvent>): StreamControl {
    const { transport, call } = this.#options
    const recovery = this.#recovery
    this.#sink = sink
    const attempt = { ...call, signal: this.#leaving.signal }
    const socket = createLastingSocket({
      open: (receiver) => transport.openSocket({ path: newPath() }, attempt, receiver),
      greeting: () => recovery.greeting(),
      onMessage: (message, opened) => this.#receive(message, opened),
      onEnd: () => this.#end(conversationEnded(call.what), () => sink.end()),
      onError: (error) => this.#fail(error),
      onLost: (error) => recovery.onLost(error),
      onReopened: () => recovery.onReopened(),
    })
    this.#socket = socket
    const close = () =>
      this.#end(call.signal?.aborted ? call.signal.reason : conversationEnded(call.what))
    return { pause: socket.pause, resume: socket.resume, close }
  }

  send(event: RealtimeClientEvent): void {
    if (this.#outcome) return
    if (event.type !== 'input_audio_buffer.append') this.#idle.refresh()
    if (this.isReconnecting && restoredEvents.includes(event.type)) return
    this.#socket?.send(JSON.stringify(event))
  }

  /** Resolves when the connection takes more messages. */
  async drained(): Promise<void> {
    await this.#socket?.drained()
  }

  /** @throws the reason why nothing more can be sent. */
  throwIfOver(): void {
    if (this.#outcome) throw this.#outcome.error
  }

  /** @throws {InputError} if there was no event. */
  errorOf(reported: unknown): ApiError {
    const { what } = this.#options.call
    if (!this.#source) throw new InputError(`${what} failed: errorOf takes the error of an event`)
    return this.#source.errorOf(statedProblem(reported))
  }

  #receive(message: string, socket: Socket) {
    if (this.#outcome) return
    this.#source = socket
    let content: ReturnType<typeof readRealtimeMessage>
    try {
      content = readRealtimeMessage(message, socket)
    } catch (error) {
      return this.#fail(error)
    }
    if ('unknown' in content) {
      return this.#sink?.next({ type: 'unknown', event: content.unknown })
    }
    this.#idle.refresh()
    this.#recovery.note(content.event)
    this.conversation.receive(content.event)
  }

  #fail(error: unknown): void {
    this.#end(error, () => this.#sink?.error(error))
  }

  #end(error: unknown, report = () => {}): void {
    if (this.#outcome) return
    this.#outcome = { error }
    clearTimeout(this.#idle)
    this.conversation.close()
    this.#leaving.abort()
    this.#socket?.close()
    report()
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

interface RecoveryOptions {
  conversation: ConversationState
  /** Whether to open another connection at all. */
  isWanted: boolean
  emit(event: RealtimeEvent): void
}

/** Restores a conversation over a new connection, and reports that to the reader. */
class Recovery {
  /** Whether the connection is lost and not yet replaced. */
  isReconnecting = false
  readonly #options: RecoveryOptions
  #isResponseLost = false
  #restoredItems = 0
  /** Whether something was said over this connection. A connection that is lost sooner would be lost again. */
  #isUsed = false

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  /** Takes an event of the service. */
  note({ type }: RealtimeServerEvent): void {
    this.#isUsed ||= type === 'input_audio_buffer.committed' || type === 'response.created'
  }

  /** The messages that begin a connection. */
  greeting(): string[] {
    const greeting = this.#options.conversation.beginSession(this.isReconnecting)
    this.#restoredItems = greeting.length - 1
    return greeting.map((event) => JSON.stringify(event))
  }

  /** The connection was lost. @returns whether to open another one. */
  onLost(error: unknown): boolean {
    const { conversation, isWanted, emit } = this.#options
    const isTemporary = ParlandoError.isInstance(error) && error.retryable
    if (!isWanted || !this.#isUsed || !isTemporary) return false
    this.#isUsed = false
    this.isReconnecting = true
    this.#isResponseLost = conversation.isResponding
    conversation.leaveSession()
    emit({ type: 'reconnecting', error })
    return true
  }

  /** Another connection is open. */
  onReopened(): void {
    const { conversation, emit } = this.#options
    this.isReconnecting = false
    // The caller may have requested a response meanwhile.
    this.#isResponseLost &&= !conversation.isResponding
    emit({ type: 'restored', items: this.#restoredItems, isResponseLost: this.#isResponseLost })
  }
}
