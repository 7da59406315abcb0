import type { Duplex } from 'node:stream'
import type { WebSocket } from 'undici'
import type {
  ApiError,
  ConnectionError,
  ErrorCode,
  ProtocolError,
  TimeoutError,
} from '../errors.ts'
import { badResponse } from '../protocol-errors.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { Attempt, type AttemptContext, withRetries } from './attempt.ts'
import type { Call } from './client-options.ts'
import { openWebSocket } from './handshake.ts'
import { networkError, type RequestFacts, streamError, waitedTooLong } from './response-errors.ts'
import { closeCodes, closedBy, disconnect, invalidMessage, lost } from './socket-close.ts'
import { anySignal } from './time-limit.ts'
import { codeOf, traceHeaders } from './trace.ts'

/** A WebSocket to open, relative to the base address. */
export interface SocketRequest {
  /** Appended to the base address, begins with a slash. A colon in it must not be percent-encoded. */
  path: string
  /** Whether several calls use the socket. Each of them counts for `maxConcurrent`, and the open socket does not. */
  isShared?: boolean
}

/**
 * Accepts an open socket. The result receives the messages, then the end if the service closes the socket normally, or
 * the error.
 */
export type SocketReceiver = (socket: Socket) => Sink<string>

/** A ping without content. The mask of zeros, which a client must send, changes nothing. */
const pingFrame = Buffer.from([0x89, 0x80, 0, 0, 0, 0])

/**
 * Opens a WebSocket with the headers, the proxy and the TLS settings of the client. A failed handshake is retried like a
 * request.
 */
export function openSocket(
  context: AttemptContext,
  request: SocketRequest,
  call: Call,
  receiver: SocketReceiver,
): Promise<Socket> {
  return withRetries(() => openOnce(context, request, call, receiver), { call, ...context })
}

async function openOnce(
  context: AttemptContext,
  { path, isShared }: SocketRequest,
  call: Call,
  receiver: SocketReceiver,
): Promise<Socket> {
  const { connections, closing } = context
  const { connectTimeoutMs } = context.options
  const aborts = anySignal(call.signal, call.deadline(), closing)
  const attempt = new Attempt(context, { method: 'GET', path }, call, aborts)
  const { facts, timeLimit, trace } = attempt
  try {
    await attempt.begin()
    const { dispatcher } = connections
    const request = { path, dispatcher, tracing: await traceHeaders() }
    timeLimit.start(connectTimeoutMs, () => waitedTooLong(facts, 'connection', connectTimeoutMs))
    return await openWebSocket(facts, request, (webSocket, connection) => {
      trace.firstByte(101)
      if (isShared) attempt.leave()
      return new Socket({ webSocket, connection, attempt }, receiver)
    })
  } catch (cause) {
    throw attempt.fail(cause)
  }
}

interface OpenConnection {
  webSocket: WebSocket
  /** The connection under the WebSocket; `undefined` on Bun, where a socket has no back-pressure and no pings. */
  connection: Duplex | undefined
  attempt: Attempt
}

/** An open WebSocket for text messages. It never reconnects. */
export class Socket implements StreamControl {
  readonly #webSocket: WebSocket
  readonly #connection: Duplex | undefined
  readonly #attempt: Attempt
  readonly #facts: RequestFacts
  readonly #sink: Sink<string>
  readonly #pinging: NodeJS.Timeout | undefined
  #isOver = false
  #isPaused = false
  #isEnding = false
  #isCut = false
  #onDrain: (() => void)[] = []

  constructor({ webSocket, connection, attempt }: OpenConnection, receiver: SocketReceiver) {
    this.#webSocket = webSocket
    this.#connection = connection
    this.#attempt = attempt
    this.#facts = attempt.facts
    const { silenceTimeoutMs } = attempt.facts.options
    this.#listen()
    this.#limitWaits(silenceTimeoutMs)
    // A service that has nothing to say at least responds to pings.
    this.#pinging =
      connection && setInterval(() => connection.write(pingFrame), silenceTimeoutMs / 3)
    this.#sink = receiver(this)
  }

  /** The `X-Request-Id` of the handshake. */
  get requestId(): string {
    return this.#facts.requestId
  }

  /** The size of the messages that wait for the connection. */
  get waitingBytes(): number {
    return this.#webSocket.bufferedAmount
  }

  /** Sends a message. Has no effect after the end. */
  send(message: string): void {
    if (!this.#isOver) this.#webSocket.send(message)
  }

  /** Resolves when the connection takes more messages, and at the end. */
  async drained(): Promise<void> {
    if (this.#isOver || !this.#connection?.writableNeedDrain) return
    await new Promise<void>((resolve) => this.#onDrain.push(resolve))
  }

  /** To call after the last message: from then on, each wait for a message of the service has a limit, `firstByteTimeoutMs`. */
  expectEnd(): void {
    if (this.#isOver) return
    const { call, options } = this.#facts
    this.#isEnding = true
    clearInterval(this.#pinging)
    this.#limitWaits(call.firstByteTimeoutMs ?? options.firstByteTimeoutMs)
  }

  pause(): void {
    this.#isPaused = true
    this.#connection?.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#isOver) return
    this.#attempt.timeLimit.renew()
    this.#connection?.resume()
  }

  /** The error for an error that a message contains. */
  errorOf(problem: unknown): ApiError {
    return streamError(this.#facts, problem)
  }

  /** The error for a message that violates the protocol. @param problem a clause such as `a message is not JSON`. */
  bad(problem: string): ProtocolError {
    return badResponse(this.#facts, problem)
  }

  /** The error for a wait that exceeded its limit. */
  waitedTooLong(limitMs: number): TimeoutError {
    return waitedTooLong(this.#facts, 'next byte', limitMs)
  }

  /** The error for a socket that the service closed before the end of the exchange. */
  closedEarly(): ConnectionError {
    return closedBy(this.#facts, closeCodes.normal, '')
  }

  /** Closes the socket. @param error the reason; only the debug hook receives its code. */
  close(error?: unknown): void {
    this.#finish(error === undefined ? 'ABORTED' : codeOf(error), () => {})
  }

  #listen(): void {
    const connection = this.#connection
    const { timeLimit } = this.#attempt
    this.#webSocket.addEventListener('message', ({ data }) => this.#receive(data))
    this.#webSocket.addEventListener('close', ({ code, reason }) => this.#onClose(code, reason))
    connection?.on('data', () => {
      if (!this.#isEnding) timeLimit.renew()
    })
    connection?.on('drain', () => {
      timeLimit.renew()
      this.#drain()
    })
    connection?.on('resume', () => {
      // undici pauses and resumes the connection too, even if the reader has paused it.
      if (this.#isPaused && !this.#isOver) connection.pause()
    })
    const noteCut = () => {
      this.#isCut = true
    }
    connection?.once('end', noteCut)
    connection?.once('error', noteCut)
    timeLimit.signal.addEventListener('abort', this.#abort)
  }

  #receive(data: unknown): void {
    if (this.#isOver) return
    this.#attempt.timeLimit.renew()
    if (typeof data === 'string') this.#sink.next(data)
    else this.#fail(this.bad('the service sent a binary message'))
  }

  #onClose(code: number, reason: string): void {
    const facts = this.#facts
    if (code === closeCodes.normal || code === closeCodes.none) {
      this.#finish(undefined, () => this.#sink.end())
    } else if (code !== closeCodes.abnormal) this.#fail(closedBy(facts, code, reason))
    else if (this.#isCut || !this.#connection) this.#fail(lost(facts))
    else this.#fail(invalidMessage(facts))
  }

  #limitWaits(limitMs: number): void {
    // Messages that wait for a slow reader are not silence, unless the service takes no messages either.
    const isIdle = () => this.#isPaused && !this.#connection?.writableNeedDrain
    this.#attempt.timeLimit.start(limitMs, () => this.waitedTooLong(limitMs), isIdle)
  }

  readonly #abort = () => {
    const { reason } = this.#attempt.timeLimit.signal
    this.#fail(networkError(this.#facts, reason, 'during the response'))
  }

  #fail(error: unknown): void {
    this.#finish(codeOf(error), () => this.#sink.error(error))
  }

  #finish(code: ErrorCode | undefined, report: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#pinging)
    this.#attempt.timeLimit.signal.removeEventListener('abort', this.#abort)
    disconnect(this.#webSocket, this.#connection, this.#facts.closing.aborted)
    this.#attempt.release()
    this.#attempt.trace.end(code)
    this.#drain()
    report()
  }

  #drain(): void {
    for (const resolve of this.#onDrain) resolve()
    this.#onDrain = []
  }
}
