import { InputError } from '../../errors.ts'
import { type Call, type CallOptions, createCall } from '../../http/client-options.ts'
import type { Socket } from '../../http/socket.ts'
import { anySignal } from '../../http/time-limit.ts'
import { parseInput } from '../../parse-input.ts'
import type { Sink } from '../../streams/sink.ts'
import {
  type SpeechContextSettings,
  speechContextSchema,
  speechSocketLimits,
} from '../../wire/speech-socket-messages.ts'
import type { EndpointContext } from '../response-source.ts'
import { type ContextResult, readContextResult } from './context-result.ts'
import { ContextReader, createSpeechContext, type SpeechContext } from './speech-context.ts'
import { modelIdSchema, type WithDefaultModel } from './speech-input.ts'

const path = '/tts/v1/voice:streamBidirectional'
/** The service closes a connection after ten minutes without a message. */
const keepAliveMs = 4 * 60_000

const contextInputSchema = speechContextSchema.extend({ modelId: modelIdSchema })

/** The voice of a context, its settings, and when the service speaks the text that it has received. */
export type SpeechContextInput = WithDefaultModel<SpeechContextSettings>

/** The options of a context. `timeoutMs` limits the time from its creation to its end. */
export type SpeechContextOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'firstByteTimeoutMs'>

/**
 * A connection that speaks many texts, without a request for each. It connects at once and never reconnects: an error of
 * the connection ends every context.
 */
export interface SpeechSocket extends AsyncDisposable {
  /** The `X-Request-Id` of the connection; `undefined` until it is open. */
  readonly requestId: string | undefined
  /** Whether the connection is open or opening. */
  readonly isOpen: boolean
  /** How many more contexts the connection takes, at most five. */
  readonly freeContexts: number
  /** Resolves when the connection is open. @throws its error, such as an `ApiError` of a service without this socket. */
  opened(): Promise<void>
  /**
   * Begins a text. Each counts as one call for `maxConcurrent`. A connection has five contexts, including closed ones whose
   * audio the service still sends. The connection is read as long as one of its readers keeps up; 16 MiB can wait for
   * another.
   * @throws {InputError} if the settings are not valid, no context is free, or the socket is closed.
   */
  context(settings: SpeechContextInput, options?: SpeechContextOptions): SpeechContext
  /** Ends every context and closes the connection. */
  close(): Promise<void>
}

/** Opens the socket `/tts/v1/voice:streamBidirectional`. */
export function speechSocket(
  context: EndpointContext,
  _request: undefined,
  call: Call,
): SpeechSocket {
  const { transport, options } = context
  const contexts = new Contexts(call.what)
  const leaving = new AbortController()
  const lasting = { ...call, timeoutMs: undefined, deadline: () => undefined }
  const attempt = { ...lasting, signal: anySignal(call.signal, leaving.signal) }
  const opening = transport.openSocket({ path, isShared: true }, attempt, (socket) =>
    contexts.open(socket),
  )
  opening.catch((error) => contexts.finish(error))

  const close = async () => {
    contexts.finish(new InputError(`${call.what} failed: the speech socket is closed`))
    leaving.abort()
    contexts.socket?.close()
  }

  return {
    get requestId() {
      return contexts.socket?.requestId
    },
    get isOpen() {
      return contexts.isOpen
    },
    get freeContexts() {
      return contexts.free
    },
    async opened() {
      await opening
    },
    context(input, contextOptions) {
      const settings = parseInput(contextInputSchema, input, 'Speech context')
      const { what } = call
      const contextCall = { ...createCall(options, contextOptions, what), what }
      const reader = contexts.begin({ settings, call: contextCall, context, opening })
      return createSpeechContext(reader, contextCall, options.maxResponseBytes)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface NewContext {
  settings: SpeechContextSettings
  call: Call
  context: EndpointContext
  /** The connection. */
  opening: Promise<Socket>
}

/** The contexts of a connection, which it passes its messages to. */
class Contexts {
  socket: Socket | undefined
  readonly #what: string
  readonly #readers = new Map<string, ContextReader>()
  readonly #keepAlive: NodeJS.Timeout
  #count = 0
  #isPaused = false
  #isOver = false

  /** @param what named by errors. */
  constructor(what: string) {
    this.#what = what
    this.#keepAlive = setInterval(() => {
      for (const [contextId, { takesText }] of this.#readers) {
        if (takesText) this.socket?.send(JSON.stringify({ contextId, send_text: { text: '' } }))
      }
    }, keepAliveMs)
    this.#keepAlive.unref()
  }

  get isOpen(): boolean {
    return !this.#isOver
  }

  get free(): number {
    return this.#isOver ? 0 : speechSocketLimits.maxContexts - this.#readers.size
  }

  /** Begins a context. @throws {InputError} if the connection takes no more. */
  begin({ settings, call, context, opening }: NewContext): ContextReader {
    const contextId = this.#nextId()
    const reader = new ContextReader({
      contextId,
      settings,
      call,
      context,
      connection: {
        async start(signal) {
          const socket = await opening
          return { socket, release: await context.transport.acquire(signal) }
        },
        onReaderChange: () => this.#adjustReading(),
        onUnused: () => void this.#readers.delete(contextId),
      },
    })
    // First: a context that was aborted before it begins leaves the list at once.
    this.#readers.set(contextId, reader)
    this.#adjustReading()
    reader.begin()
    return reader
  }

  #nextId(): string {
    if (this.#isOver) {
      throw new InputError(`${this.#what} failed: the speech socket is closed; open a new one`)
    }
    if (this.free <= 0) {
      const { maxContexts } = speechSocketLimits
      const message = `${this.#what} failed: the speech socket has ${maxContexts} contexts; end one, or open another socket`
      throw new InputError(message)
    }
    this.#count += 1
    return `context-${this.#count}`
  }

  /** Reads no more while every reader is behind. */
  #adjustReading(): void {
    const read = [...this.#readers.values()].filter(({ isDropped }) => !isDropped)
    const isBehind = read.length > 0 && read.every(({ isFull }) => isFull)
    if (isBehind === this.#isPaused) return
    this.#isPaused = isBehind
    if (isBehind) this.socket?.pause()
    else this.socket?.resume()
  }

  open(socket: Socket): Sink<string> {
    this.socket = socket
    return {
      next: (message) => this.#receive(message, socket),
      end: () => this.finish(socket.closedEarly()),
      error: (error) => this.finish(error),
    }
  }

  /** The connection takes no more contexts. @param error the reason, which ends all of them. */
  finish(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#keepAlive)
    for (const reader of this.#readers.values()) reader.fail(error)
    this.#readers.clear()
  }

  #receive(message: string, socket: Socket) {
    let result: ContextResult
    try {
      result = readContextResult(message, socket)
    } catch (error) {
      socket.close(error)
      return this.finish(error)
    }
    const [onlyId = ''] = this.#readers.size === 1 ? this.#readers.keys() : []
    const contextId = result.contextId || onlyId
    // The audio of a context that was closed, or that this version does not know.
    this.#readers.get(contextId)?.receive(result)
    if (result.isClosed || result.problem) this.#readers.delete(contextId)
    this.#adjustReading()
  }
}
