import type { Duplex } from 'node:stream'
import type { WebSocket } from 'undici'
import { type ApiError, ConnectionError, type ProtocolError, type TimeoutError } from '../errors.ts'
import { badResponse } from '../protocol-errors.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { type Attempt, type AttemptContext, createAttempt } from './attempt.ts'
import type { Call } from './call.ts'
import { openWebSocket } from './handshake.ts'
import { errorBodyText } from './redact.ts'
import { networkError, type RequestFacts, streamError, waitedTooLong } from './response-errors.ts'
import { withRetries } from './retry.ts'
import { anySignal } from './signals.ts'
import { codeOf } from './trace.ts'

/** A WebSocket to open, relative to the base address. */
export interface SocketRequest {
  /** The kind of call, for messages: `Transcription`. */
  what: string
  /** Appended to the base address, begins with a slash. A colon in it must not be percent-encoded. */
  path: string
  /** Whether several calls use the socket. Each of them counts for `maxConcurrent`, and the open socket does not. */
  isShared?: boolean
}

/** An open WebSocket for text messages. It never reconnects. */
export interface Socket extends StreamControl {
  /** The `X-Request-Id` of the handshake. */
  requestId: string
  /** The size of the messages that wait for the connection. */
  readonly waitingBytes: number
  /** Sends a message. Has no effect after the end. */
  send(message: string): void
  /** Resolves when the connection takes more messages, and at the end. */
  drained(): Promise<void>
  /** To call after the last message: from then on, each wait for a message of the service has a limit, `firstByteTimeoutMs`. */
  expectEnd(): void
  /** The error for an error that a message contains. */
  errorOf(problem: unknown): ApiError
  /** The error for a message that violates the protocol. @param problem a clause such as `a message is not JSON`. */
  badMessage(problem: string): ProtocolError
  /** The error for a wait that exceeded its limit. */
  waitedTooLong(limitMs: number): TimeoutError
  /** The error for a socket that the service closed before the end of the exchange. */
  closedEarly(): ConnectionError
  /** Closes the socket. @param error the reason; only the debug hook receives its code. */
  close(error?: unknown): void
}

/**
 * Accepts an open socket. The result receives the messages, then the end if the service closes the socket normally, or
 * the error.
 */
export type SocketReceiver = (socket: Socket) => Sink<string>

/** The time for a closing handshake. */
const closeTimeoutMs = 1000

/** A ping without content. The mask of zeros, which a client must send, changes nothing. */
const pingFrame = Buffer.from([0x89, 0x80, 0, 0, 0, 0])

// https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number
const closeCodes = { normal: 1000, none: 1005, abnormal: 1006 }
/** Going away, internal error, restart, try later, bad gateway. */
const transientCloseCodes = [1001, 1011, 1012, 1013, 1014]

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
  const { options, closing } = context
  const rule = { what: request.what, call, options, closing }
  return withRetries(() => openOnce(context, request, call, receiver), rule)
}

async function openOnce(
  context: AttemptContext,
  { what, path, isShared }: SocketRequest,
  call: Call,
  receiver: SocketReceiver,
): Promise<Socket> {
  const { connections, closing } = context
  const { connectTimeoutMs } = context.options
  const aborts = anySignal(call.signal, call.deadline(), closing)
  const attempt = createAttempt(context, { what, method: 'GET', path }, call, aborts)
  const { facts, timeLimit, trace } = attempt
  try {
    await attempt.begin()
    timeLimit.start(connectTimeoutMs, () => waitedTooLong(facts, 'connection', connectTimeoutMs))
    return await openWebSocket(facts, connections.dispatcher, path, (webSocket, connection) => {
      trace.firstByte(101)
      if (isShared) attempt.leave()
      return createSocket({ webSocket, connection, attempt }, receiver)
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

function createSocket(
  { webSocket, connection, attempt }: OpenConnection,
  receiver: SocketReceiver,
): Socket {
  const { facts, timeLimit, trace } = attempt
  const { signal } = timeLimit
  const { requestId, options, call } = facts
  let isOver = false
  let isPaused = false
  let isEnding = false
  let isCut = false
  let onDrain: (() => void)[] = []

  const drain = () => {
    for (const resolve of onDrain) resolve()
    onDrain = []
  }

  const finish = (code: ReturnType<typeof codeOf> | undefined, report: () => void) => {
    if (isOver) return
    isOver = true
    clearInterval(pinging)
    signal.removeEventListener('abort', abort)
    disconnect(webSocket, connection, facts.closing.aborted)
    attempt.release()
    trace.end(code)
    drain()
    report()
  }
  const fail = (error: unknown) => finish(codeOf(error), () => sink.error(error))
  const abort = () => fail(networkError(facts, signal.reason, 'during the response'))

  const limitWaits = (limitMs: number) =>
    timeLimit.start(
      limitMs,
      () => waitedTooLong(facts, 'next byte', limitMs),
      // Messages that wait for a slow reader are not silence, unless the service takes no messages either.
      () => isPaused && !connection?.writableNeedDrain,
    )

  webSocket.addEventListener('message', ({ data }) => {
    if (isOver) return
    timeLimit.renew()
    if (typeof data === 'string') sink.next(data)
    else fail(badResponse(facts, 'the service sent a binary message'))
  })
  webSocket.addEventListener('close', ({ code, reason }) => {
    if (code === closeCodes.normal || code === closeCodes.none) finish(undefined, sink.end)
    else if (code !== closeCodes.abnormal) fail(closedBy(facts, code, reason))
    else fail(isCut || !connection ? lost(facts) : invalidMessage(facts))
  })
  connection?.on('data', () => {
    if (!isEnding) timeLimit.renew()
  })
  connection?.on('drain', () => {
    timeLimit.renew()
    drain()
  })
  connection?.on('resume', () => {
    // undici pauses and resumes the connection too, even if the reader has paused it.
    if (isPaused && !isOver) connection.pause()
  })
  const noteCut = () => {
    isCut = true
  }
  connection?.once('end', noteCut)
  connection?.once('error', noteCut)
  signal.addEventListener('abort', abort)
  limitWaits(options.silenceTimeoutMs)
  // A service that has nothing to say at least responds to pings.
  const pinging =
    connection && setInterval(() => connection.write(pingFrame), options.silenceTimeoutMs / 3)

  const socket: Socket = {
    requestId,
    get waitingBytes() {
      return webSocket.bufferedAmount
    },
    send(message) {
      if (!isOver) webSocket.send(message)
    },
    async drained() {
      if (isOver || !connection?.writableNeedDrain) return
      await new Promise<void>((resolve) => onDrain.push(resolve))
    },
    expectEnd() {
      if (isOver) return
      isEnding = true
      clearInterval(pinging)
      limitWaits(call.firstByteTimeoutMs ?? options.firstByteTimeoutMs)
    },
    pause() {
      isPaused = true
      connection?.pause()
    },
    resume() {
      isPaused = false
      if (isOver) return
      timeLimit.renew()
      connection?.resume()
    },
    errorOf: (problem) => streamError(facts, problem),
    badMessage: (problem) => badResponse(facts, problem),
    waitedTooLong: (limitMs) => waitedTooLong(facts, 'next byte', limitMs),
    closedEarly: () => closedBy(facts, closeCodes.normal, ''),
    close: (error) => finish(error === undefined ? 'ABORTED' : codeOf(error), () => {}),
  }
  const sink = receiver(socket)
  return socket
}

/** Says goodbye, and closes the connection after a second even if the service does not. */
function disconnect(webSocket: WebSocket, connection: Duplex | undefined, isUrgent: boolean) {
  // A paused connection would never deliver the goodbye of the service.
  connection?.resume()
  webSocket.close(closeCodes.normal)
  if (!connection || connection.destroyed) return
  if (isUrgent) return void connection.destroy()
  const timer = setTimeout(() => connection.destroy(), closeTimeoutMs)
  connection.once('close', () => clearTimeout(timer))
}

function lost(facts: RequestFacts): unknown {
  return networkError(facts, undefined, 'during the response')
}

/** The error if undici ended the connection, for a reason that it does not report. */
function invalidMessage(facts: RequestFacts): ProtocolError {
  const { maxLineBytes } = facts.options
  const problem = `the service sent a message of more than ${maxLineBytes} bytes, or one that is malformed`
  return badResponse(facts, problem)
}

function closedBy(facts: RequestFacts, closeCode: number, reason: string): ConnectionError {
  const { what, call, requestId, options } = facts
  const { apiKey } = options
  const text = errorBodyText({ message: reason, isPage: false, apiKey, headers: call.headers })
  const status = text ? `${closeCode}: ${text}` : closeCode
  const message = `${what} broke off: the service closed the connection (${status})`
  const retryable = closeCode === closeCodes.normal || transientCloseCodes.includes(closeCode)
  return new ConnectionError(message, { code: 'CONNECTION_LOST', retryable, requestId })
}
