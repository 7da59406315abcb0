import type { RawData, WebSocket } from 'ws'
import { ServiceError } from '../errors.ts'
import { createTurnLimit } from './event-loop-turns.ts'
import type { ReplaceableConnection } from './make-room.ts'

/** A WebSocket of a client. */
export interface ClientSocket {
  /**
   * The messages in order. They end when the client closes the socket or the service stops. While the reader is busy, or
   * the client does not read what the service sends, the client has to wait.
   * @throws {ServiceError} for a binary message, and when the client sends nothing for too long.
   */
  readonly messages: AsyncIterable<Buffer>
  /** Aborted when the connection is closed or lost. */
  readonly signal: AbortSignal
  /** Whether the client does not read what the service sends. */
  readonly isSlow: boolean
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
  readonly isReplaced: boolean
  /** Ends the messages, so that the work on the socket ends. */
  stop(): void
  /** Cuts the connection. */
  terminate(): void
}

const firstSilenceLimitMs = 10_000
const maxQueuedBytes = 256 * 1024
/** What each message costs in addition to its bytes: an empty one counts too. */
const messageBytes = 256
/** A client that has more to read gets no response to further messages. */
const maxUnreadBytes = 1024 * 1024
const slowBytes = 64 * 1024
/** How long a client may take to respond to the end of the socket. */
const closeLimitMs = 5000
export const closeCodes = { done: 1000, stopping: 1001, rejected: 1008, failed: 1011 } as const

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
  const queue = createMessageQueue(webSocket, output, noteHeld)
  let isReplaced = false
  let isWorking = () => false
  let isStopping = false
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
  // A message that is too large or malformed; the library then closes the socket.
  webSocket.on('error', () => {})
  webSocket.once('close', () => {
    clearInterval(ping)
    queue.end()
    closed.abort()
    onHold(0)
  })
  const close = (code: number) => {
    webSocket.resume()
    webSocket.close(code)
    const limit = setTimeout(() => afterArrived(() => webSocket.terminate()), closeLimitMs)
    webSocket.once('close', () => clearTimeout(limit))
  }

  const served: ServedSocket = {
    address,
    get isBusy() {
      return !queue.isWaiting || webSocket.bufferedAmount > 0 || isWorking()
    },
    get lastEventMs() {
      return queue.lastMessageMs
    },
    get isReplaced() {
      return isReplaced
    },
    makeRoom() {
      isReplaced = true
      queue.expire('The client was silent, and another one needed its place')
    },
    stop() {
      isStopping = true
      queue.end()
    },
    terminate: () => webSocket.terminate(),
  }
  const client: ClientSocket = {
    messages: queue.messages,
    signal: closed.signal,
    get isSlow() {
      return webSocket.bufferedAmount > slowBytes
    },
    send: output.send,
    limitSilence: queue.limitSilence,
    watchWork(isWorkingNow) {
      isWorking = isWorkingNow
    },
    replaceable: served,
    close,
  }
  void serve(client).then(
    () => close(isStopping ? closeCodes.stopping : closeCodes.done),
    () => close(closeCodes.failed),
  )
  return served
}

/**
 * Calls back when the data that has already arrived is read. A process that was delayed, for example by a busy machine,
 * runs its timers first; without this, it would take its own delay for the silence of the client.
 */
function afterArrived(callback: () => void): void {
  setImmediate(callback)
}

/** What the service sends. */
interface Output {
  send(message: object): Promise<void>
  /** How many messages the system has taken. */
  readonly sent: number
  /** Waits while the client has too much to read. */
  drained(): Promise<void>
}

function createOutput(webSocket: WebSocket, noteHeld: () => void): Output {
  let sent = 0
  let latest: Promise<void> = Promise.resolve()
  return {
    send(message) {
      latest = new Promise((resolve) =>
        // After the end of the connection there is nobody to wait for.
        webSocket.send(JSON.stringify(message), () => {
          sent++
          noteHeld()
          resolve()
        }),
      )
      noteHeld()
      return latest
    },
    get sent() {
      return sent
    },
    async drained() {
      while (webSocket.bufferedAmount > maxUnreadBytes && webSocket.readyState === webSocket.OPEN) {
        await latest
      }
    },
  }
}

/** The messages that the reader has not taken. The client waits while they exceed the limit. */
function createMessageQueue(webSocket: WebSocket, output: Output, noteHeld: () => void) {
  const messages: Buffer[] = []
  const endLongTurn = createTurnLimit()
  let queuedBytes = 0
  let lastMessageMs = performance.now()
  let isEnded = false
  let failure: ServiceError | undefined
  let wake = () => {}
  let silenceLimitMs = firstSilenceLimitMs
  let silence: NodeJS.Timeout | undefined

  const fail = (message: string, code: 'INVALID_ARGUMENT' | 'DEADLINE_EXCEEDED') => {
    failure ??= new ServiceError(code, message)
    clearTimeout(silence)
    wake()
  }
  const watchSilence = () => {
    clearTimeout(silence)
    if (isEnded || failure) return
    const seconds = silenceLimitMs / 1000
    const message = `The client sent no message for ${seconds} s`
    const expire = () => {
      if (silence === started) fail(message, 'DEADLINE_EXCEEDED')
    }
    const started = setTimeout(() => afterArrived(expire), silenceLimitMs)
    silence = started
  }
  const end = () => {
    isEnded = true
    clearTimeout(silence)
    wake()
  }
  webSocket.on('message', (data: RawData, isBinary) => {
    if (isEnded || failure) return
    if (isBinary) return fail('A message is binary; send JSON as text', 'INVALID_ARGUMENT')
    const message = data as Buffer
    messages.push(message)
    queuedBytes += message.length + messageBytes
    lastMessageMs = performance.now()
    noteHeld()
    // The time in which the reader is busy does not count.
    clearTimeout(silence)
    silence = undefined
    if (queuedBytes > maxQueuedBytes) webSocket.pause()
    wake()
  })
  watchSilence()

  async function* read(): AsyncGenerator<Buffer> {
    for (;;) {
      // All that wait, because taking them from the front one by one would move the others each time.
      for (const message of messages.splice(0)) {
        await endLongTurn()
        await output.drained()
        queuedBytes -= message.length + messageBytes
        noteHeld()
        if (queuedBytes <= maxQueuedBytes) webSocket.resume()
        yield message
      }
      if (messages.length > 0) continue
      if (failure) throw failure
      if (isEnded) return
      watchSilence()
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    messages: read(),
    end,
    expire: (message: string) => fail(message, 'DEADLINE_EXCEEDED'),
    get bytes() {
      return queuedBytes
    },
    get lastMessageMs() {
      return lastMessageMs
    },
    /** Whether the reader waits for a message. */
    get isWaiting() {
      return silence !== undefined
    },
    limitSilence(limitMs: number) {
      silenceLimitMs = limitMs
    },
  }
}
