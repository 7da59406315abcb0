import { isUint8Array } from 'node:util/types'
import { InputError } from '../errors.ts'
import type { Call } from '../http/client-options.ts'
import type { Socket } from '../http/socket.ts'
import type { Transport } from '../http/transport.ts'
import type { Sink, StreamControl } from '../streams/sink.ts'
import { createItemStream, readAhead } from '../streams/stream.ts'
import { createAudioPieces } from './base64-audio.ts'
import type { MessageSource } from './socket-message.ts'

/** Six minutes of audio in base64. It waits only if the caller does not wait for `write`. */
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Audio that is judged while it arrives: write audio and, at the same time, read events. The stream connects at once and never
 * reconnects. The loop receives the error of the stream after the events before it; `write` rejects with the same error.
 */
export interface AudioStream<Event> extends AsyncIterable<Event>, AsyncDisposable {
  /** The `X-Request-Id` of the connection; `undefined` until it is open. */
  readonly requestId: string | undefined
  /**
   * Sends audio: mono PCM, signed 16-bit little-endian, without a header, in pieces of any size. Before the connection is
   * open, the audio waits.
   * @returns a promise that resolves when the connection takes more. Audio that arrives in real time need not wait for it;
   * a rejection that nothing waits for has no effect.
   * @throws {InputError} after `end` and `close`, and when 16 MiB are waiting.
   */
  write(pcm: Uint8Array): Promise<void>
  /**
   * Ends the audio. The service sends the remaining events and closes the connection, which ends the loop. It must send
   * each of them within `firstByteTimeoutMs`.
   */
  end(): void
  /**
   * Can be called once. Leaving the loop early closes the connection. Up to 16 events, and those of one more network read,
   * wait for the loop; then the client reads no more, and a service that must wait for the client may accept no more audio.
   */
  [Symbol.asyncIterator](): AsyncIterator<Event, undefined>
  /** Closes the connection and drops the waiting events. A loop that waits for an event ends. */
  close(): Promise<void>
}

export interface AudioStreamOptions<Event> {
  transport: Transport
  call: Call
  path: string
  /** The member of the first message, and its value: the settings. */
  config: Readonly<Record<string, object>>
  /** @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`. */
  readEvents(message: string, source: MessageSource): readonly Event[]
  /** Whether nothing can follow an event. */
  isLast(event: Event): boolean
  /** Of what the stream is, in errors: `transcription`. */
  what: string
}

/** Opens a socket that takes audio. */
export function openAudioStream<Event>(
  options: AudioStreamOptions<Event>,
): AudioStream<Event> & { endTurn(): void } {
  const { call, config, what } = options
  const toPieces = createAudioPieces(2)
  const exchange = new Exchange(options)
  const stream = createItemStream<Event>((sink) => exchange.connect(sink), {
    what,
    signal: call.signal,
  })
  // Starts to connect.
  const events = readAhead(stream, `A ${what} stream`)

  const write = async (pcm: Uint8Array): Promise<void> => {
    if (!isUint8Array(pcm)) throw new InputError(`${call.what} failed: write takes bytes`)
    exchange.checkRoom((pcm.length * 4) / 3)
    if (!exchange.isOver) {
      await Promise.all(toPieces(pcm).map((piece) => exchange.send(toMessage(piece))))
    }
    exchange.throwIfOver()
  }

  void exchange.send(JSON.stringify(config))
  return {
    get requestId() {
      return exchange.requestId
    },
    write(pcm) {
      const writing = write(pcm)
      // A caller that does not wait must not cause an unhandled rejection.
      writing.catch(() => {})
      return writing
    },
    endTurn: () => exchange.endTurn(),
    end: () => exchange.end(),
    [Symbol.asyncIterator]: events,
    close: stream.close,
    [Symbol.asyncDispose]: stream.close,
  }
}

/** The messages in both directions, from the connection to its end. */
class Exchange<Event> {
  readonly #options: AudioStreamOptions<Event>
  readonly #leaving = new AbortController()
  #opening: Promise<Socket> | undefined
  #socket: Socket | undefined
  /** The size of the messages that wait for the socket to open. */
  #openingBytes = 0
  #isEnding = false
  #hasLast = false
  /** The reason why nothing more can be sent. */
  #outcome: { error: unknown } | undefined

  constructor(options: AudioStreamOptions<Event>) {
    this.#options = options
  }

  get requestId(): string | undefined {
    return this.#socket?.requestId
  }

  /** Whether nothing more can be sent. */
  get isOver(): boolean {
    return this.#outcome !== undefined
  }

  /** @throws the reason why nothing more can be sent. */
  throwIfOver(): void {
    if (this.#outcome) throw this.#outcome.error
  }

  /** @throws {InputError} after `end`, and when more than 16 MiB would wait. */
  checkRoom(addedBytes: number): void {
    const { what } = this.#options.call
    if (this.#isEnding && !this.#outcome) {
      throw new InputError(`${what} failed: write was called after end`)
    }
    const waitingBytes = this.#openingBytes + (this.#socket?.waitingBytes ?? 0)
    if (waitingBytes + addedBytes <= maxWaitingBytes) return
    const message = `${what} failed: more than ${maxWaitingBytes} bytes would wait to be sent; wait for each write, and write smaller pieces`
    throw new InputError(message)
  }

  connect(sink: Sink<Event>): StreamControl {
    const { transport, path, call } = this.#options
    const attempt = { ...call, signal: this.#leaving.signal }
    this.#opening = transport.openSocket({ path }, attempt, (socket) => {
      this.#socket = socket
      return this.#receive(socket, sink)
    })
    this.#opening.catch((error) => {
      if (this.#outcome) return
      this.#outcome = { error }
      sink.error(error)
    })
    return {
      pause: () => this.#socket?.pause(),
      resume: () => this.#socket?.resume(),
      close: () => this.#close(),
    }
  }

  /** Keeps the order of the calls, also before the socket is open. A failure is reported to the reader. */
  async send(message: string): Promise<void> {
    this.#openingBytes += message.length
    try {
      const opened = await this.#opening
      opened?.send(message)
      this.#openingBytes -= message.length
      await opened?.drained()
    } catch {
      this.#openingBytes -= message.length
    }
  }

  endTurn(): void {
    if (!this.#isEnding && !this.#outcome) void this.send('{"endTurn":{}}')
  }

  end(): void {
    if (this.#isEnding || this.#outcome) return
    this.#isEnding = true
    void this.send('{"closeStream":{}}').then(() => this.#socket?.expectEnd())
  }

  #receive(socket: Socket, sink: Sink<Event>): Sink<string> {
    const { readEvents, isLast } = this.#options
    const finish = (error: unknown) => {
      if (this.#outcome) return
      // After the last event, nothing can be lost.
      const isComplete = this.#isEnding && this.#hasLast
      this.#outcome = { error: isComplete ? this.#streamEnded() : error }
      if (isComplete) sink.end()
      else sink.error(error)
    }
    return {
      next: (message) => {
        if (this.#outcome) return
        let events: readonly Event[]
        try {
          events = readEvents(message, socket)
        } catch (error) {
          socket.close(error)
          return finish(error)
        }
        this.#hasLast ||= events.some(isLast)
        for (const event of events) sink.next(event)
      },
      end: () => {
        if (!this.#isEnding) return finish(socket.closedEarly())
        this.#outcome ??= { error: this.#streamEnded() }
        sink.end()
      },
      error: finish,
    }
  }

  #close(): void {
    const { signal } = this.#options.call
    this.#outcome ??= { error: signal?.aborted ? signal.reason : this.#streamEnded() }
    this.#leaving.abort()
    this.#socket?.close()
  }

  #streamEnded(): InputError {
    return new InputError(`${this.#options.call.what} failed: the stream has ended`)
  }
}

/** Base64 needs no escapes. */
const toMessage = (content: string) => `{"audioChunk":{"content":"${content}"}}`
