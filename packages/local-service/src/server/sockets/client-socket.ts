import type { WebSocket } from 'ws'
import { isServiceFault, toServiceError } from '../../errors/to-service-error.ts'
import type { ReplaceableConnection } from '../connections/make-room.ts'
import { afterArrived, createOutput, MessageQueue, type Output } from './socket-messages.ts'

/** A WebSocket of a client. */
export interface ClientSocket {
  /**
   * The messages in order. They end when the client closes the socket, and those that wait are dropped; or when the
   * service stops, after those that wait. While the reader is busy, or the client does not read what the service sends, the
   * client has to wait.
   * @throws {ServiceError} for a binary message, and when the client sends nothing for too long.
   */
  readonly messages: AsyncIterable<Buffer>
  /** Aborted when the connection is closed or lost. */
  readonly signal: AbortSignal
  /** Sends JSON. Resolves when the system has taken it, so that a slow client slows the sender. */
  send(message: object): Promise<void>
  /** Limits the time between two messages of the client. Initially 10 s. */
  limitSilence(limitMs: number): void
  /** Registers a function that returns whether the client waits for something. By default, it waits only for responses to messages. */
  watchWork(isWorking: () => boolean): void
  /** The socket as one of those that may have to make room. */
  readonly replaceable: ReplaceableConnection
  /** Closes the socket. Later calls do nothing. @param code of RFC 6455. */
  close(code: number): void
}

/** Serves a socket. Must not reject. When it resolves, the socket closes. */
export type ServeSocket = (socket: ClientSocket) => Promise<void>

/** A socket as its server sees it. */
export interface ServedSocket extends ReplaceableConnection {
  /** Whether it has made room, so that it no longer counts. */
  isReplaced: boolean
  /** Ends the messages, so that the work on the socket ends. */
  stop(): void
  /** Cuts the connection. */
  terminate(): void
}

/** How long a client may take to respond to the end of the socket. */
const closeLimitMs = 5000
const closeCodes = { done: 1000, stopping: 1001, rejected: 1008, failed: 1011 } as const

export interface ServingOptions {
  /** How often the client must show that it still reads. */
  pingMs: number
  /** The address of the client. */
  address: string
  /** Receives how many bytes of messages wait, in both directions. */
  onHold(bytes: number): void
}

export function serveSocket(
  webSocket: WebSocket,
  serve: ServeSocket,
  { pingMs, address, onHold }: ServingOptions,
): ServedSocket {
  const closed = new AbortController()
  const noteHeld = () => {
    if (webSocket.readyState !== webSocket.CLOSED) onHold(queue.bytes + webSocket.bufferedAmount)
  }
  const output = createOutput(webSocket, noteHeld)
  const queue = new MessageQueue(webSocket, noteHeld)
  let isStopping = false
  let isWorking = () => false
  terminateWhenLost(webSocket, output, pingMs)
  // A message that is too large or malformed; the library then closes the socket.
  webSocket.on('error', () => {})
  webSocket.once('close', () => {
    queue.drop()
    closed.abort()
    onHold(0)
  })
  const served: ServedSocket = {
    address,
    get isBusy() {
      return !queue.isWaiting || webSocket.bufferedAmount > 0 || isWorking()
    },
    get lastEventMs() {
      return queue.lastMessageMs
    },
    isReplaced: false,
    makeRoom() {
      served.isReplaced = true
      queue.expire('The client was silent, and another one needed its place')
    },
    stop() {
      isStopping = true
      queue.end()
    },
    terminate: () => webSocket.terminate(),
  }
  const client: ClientSocket = {
    messages: queue.read(output),
    signal: closed.signal,
    send: output.send,
    limitSilence: (limitMs) => queue.limitSilence(limitMs),
    watchWork(isWorkingNow) {
      isWorking = isWorkingNow
    },
    replaceable: served,
    close: (code) => close(webSocket, code),
  }
  void serve(client).then(
    () => client.close(isStopping ? closeCodes.stopping : closeCodes.done),
    () => client.close(closeCodes.failed),
  )
  return served
}

/** Cuts the connection of a client that no longer responds to pings or, if it has to wait, no longer reads. */
function terminateWhenLost(webSocket: WebSocket, output: Output, pingMs: number): void {
  let isResponding = true
  let lastSent = 0
  const ping = setInterval(() => {
    const isStuck = output.sent === lastSent && webSocket.bufferedAmount > 0
    lastSent = output.sent
    if (webSocket.isPaused) {
      // The responses to pings of a client that has to wait are not read either, but it reads what the service sends.
      if (isStuck) webSocket.terminate()
      return
    }
    afterArrived(() => {
      if (!isResponding) return webSocket.terminate()
      isResponding = false
      webSocket.ping()
    })
  }, pingMs)
  // The response to a ping can follow many messages that the client had sent before.
  for (const event of ['pong', 'message']) {
    webSocket.on(event, () => {
      isResponding = true
    })
  }
  webSocket.once('close', () => clearInterval(ping))
}

function close(webSocket: WebSocket, code: number): void {
  webSocket.resume()
  webSocket.close(code)
  const limit = setTimeout(() => afterArrived(() => webSocket.terminate()), closeLimitMs)
  webSocket.once('close', () => clearTimeout(limit))
}

interface ErrorReport {
  /** Receives failures of the service. */
  onFailure(error: unknown): void
  /** The message with the error. Default: the error body of the protocol. */
  toMessage?(error: unknown): object
}

/** Ends a socket with an error, as its last message. */
export async function endWithError(
  socket: Pick<ClientSocket, 'signal' | 'send' | 'close'>,
  error: unknown,
  { onFailure, toMessage = toBody }: ErrorReport,
): Promise<void> {
  // Nobody would receive it, and cancelled work is not a failure.
  if (socket.signal.aborted) return
  const isFault = isServiceFault(error)
  if (isFault) onFailure(error)
  await socket.send(toMessage(error))
  socket.close(isFault ? closeCodes.failed : closeCodes.rejected)
}

function toBody(error: unknown): object {
  return { error: toServiceError(error).body }
}
