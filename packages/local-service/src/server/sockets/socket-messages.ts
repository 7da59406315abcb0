import type { RawData, WebSocket } from 'ws'
import { createTurnLimit } from '../../concurrency/event-loop-turns.ts'
import { ServiceError } from '../../errors/service-error.ts'

const firstSilenceLimitMs = 10_000
const maxQueuedBytes = 256 * 1024
/** What each message costs in addition to its bytes: an empty one counts too. */
const messageBytes = 256
/** A client that has more to read gets no response to further messages. */
const maxUnreadBytes = 1024 * 1024

/** What the service sends on a socket. */
export interface Output {
  send(message: object): Promise<void>
  /** How many messages the system has taken. */
  readonly sent: number
  /** Waits while the client has too much to read. */
  drained(): Promise<void>
}

/** @param noteHeld called when the number of waiting bytes changes. */
export function createOutput(webSocket: WebSocket, noteHeld: () => void): Output {
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

/**
 * The messages of a socket that its reader has not taken. The client waits while they exceed the limit, and while it has
 * too much to read. They end with an error for a binary message, and when the client is silent for too long while the
 * reader waits.
 */
export class MessageQueue {
  lastMessageMs = performance.now()
  /** The size of the messages that wait. */
  bytes = 0
  readonly #webSocket: WebSocket
  readonly #noteHeld: () => void
  readonly #silence = createSilenceWatch((message) => this.expire(message))
  #messages: Buffer[] = []
  #isEnded = false
  #isDropped = false
  #failure: ServiceError | undefined
  #wake = () => {}

  /** @param noteHeld called when `bytes` changes. */
  constructor(webSocket: WebSocket, noteHeld: () => void) {
    this.#webSocket = webSocket
    this.#noteHeld = noteHeld
    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    this.#silence.start()
  }

  /** Whether the reader waits for a message. */
  get isWaiting(): boolean {
    return this.#silence.isWatching
  }

  limitSilence(limitMs: number): void {
    this.#silence.limit(limitMs)
  }

  /** Ends the messages after those that have arrived. */
  end(): void {
    this.#isEnded = true
    this.#silence.stop()
    this.#wake()
  }

  /** Ends the messages at once: the client is gone, and nobody waits for what they would do. */
  drop(): void {
    this.#isDropped = true
    this.#messages = []
    this.end()
  }

  /** Ends the messages with an error. @param message why the client was silent for too long. */
  expire(message: string): void {
    this.#fail('DEADLINE_EXCEEDED', message)
  }

  /** @param output what the client has to read. */
  async *read({ drained }: Output): AsyncGenerator<Buffer> {
    const endLongTurn = createTurnLimit()
    for (;;) {
      // All that wait, because taking them from the front one by one would move the others each time.
      for (const message of this.#messages.splice(0)) {
        await endLongTurn()
        await drained()
        if (this.#isDropped) return
        this.#hold(-message.length - messageBytes)
        if (this.bytes <= maxQueuedBytes) this.#webSocket.resume()
        yield message
      }
      if (this.#messages.length > 0) continue
      if (this.#failure) throw this.#failure
      if (this.#isEnded) return
      this.#silence.start()
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded || this.#failure) return
    if (isBinary) {
      this.#fail('INVALID_ARGUMENT', 'A message is binary; send JSON as text')
      return
    }
    const message = data as Buffer
    this.#messages.push(message)
    this.lastMessageMs = performance.now()
    this.#hold(message.length + messageBytes)
    // The time in which the reader is busy does not count.
    this.#silence.pause()
    if (this.bytes > maxQueuedBytes) this.#webSocket.pause()
    this.#wake()
  }

  #hold(bytes: number): void {
    this.bytes += bytes
    this.#noteHeld()
  }

  #fail(code: 'INVALID_ARGUMENT' | 'DEADLINE_EXCEEDED', message: string): void {
    this.#failure ??= new ServiceError(code, message)
    this.#silence.stop()
    this.#wake()
  }
}

/** Reports that a client sends nothing for too long. */
function createSilenceWatch(onSilent: (message: string) => void) {
  let limitMs = firstSilenceLimitMs
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  return {
    get isWatching() {
      return timer !== undefined
    },
    /** Applies from the next start on. */
    limit(nextLimitMs: number) {
      limitMs = nextLimitMs
    },
    start() {
      clearTimeout(timer)
      if (isStopped) return
      const message = `The client sent no message for ${limitMs / 1000} s`
      const expire = () => {
        if (timer === started) onSilent(message)
      }
      const started = setTimeout(() => afterArrived(expire), limitMs)
      timer = started
    },
    pause() {
      clearTimeout(timer)
      timer = undefined
    },
    /** Ends the limit for good. */
    stop() {
      clearTimeout(timer)
      isStopped = true
    },
  }
}

/**
 * Calls back when the data that has already arrived is read. A process that was delayed, for example by a busy machine,
 * runs its timers first; without this, it would take its own delay for the silence of the client.
 */
export function afterArrived(callback: () => void): void {
  setImmediate(callback)
}
