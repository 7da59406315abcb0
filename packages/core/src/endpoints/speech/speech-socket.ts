import { chooseFormat, encodings } from '../../audio/encodings.ts'
import { InputError } from '../../errors.ts'
import { type Call, type CallOptions, createCall, purposeOf } from '../../http/call.ts'
import { anySignal } from '../../http/signals.ts'
import type { Socket } from '../../http/socket.ts'
import { parseInput } from '../../parse-input.ts'
import type { Sink } from '../../streams/sink.ts'
import {
  type SpeechContextSettings,
  speechContextSchema,
  speechSocketLimits,
} from '../../wire/speech-socket.ts'
import type { EndpointContext } from '../context.ts'
import { modelIdSchema, type WithDefaultModel } from '../model-id.ts'
import { readSocketMessage } from './socket-message.ts'
import { type ConnectedContext, createSpeechContext, type SpeechContext } from './speech-context.ts'

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
  { transport, options }: EndpointContext,
  _request: undefined,
  call: Call,
): SpeechSocket {
  const what = purposeOf(call, 'Speech')
  const contexts = new Map<string, ConnectedContext>()
  const leaving = new AbortController()
  let socket: Socket | undefined
  let count = 0
  let isPaused = false
  /** Why the connection takes no more contexts. */
  let outcome: { error: unknown } | undefined

  const finish = (error: unknown) => {
    if (outcome) return
    outcome = { error }
    clearInterval(keepAlive)
    for (const context of contexts.values()) context.fail(error)
    contexts.clear()
  }

  /** Reads no more while every reader is behind. */
  const adjustReading = () => {
    const read = [...contexts.values()].filter(({ isDropped }) => !isDropped)
    const isBehind = read.length > 0 && read.every(({ isFull }) => isFull)
    if (isBehind === isPaused) return
    isPaused = isBehind
    if (isBehind) socket?.pause()
    else socket?.resume()
  }

  const receive = (opened: Socket): Sink<string> => {
    socket = opened
    const end = (error: unknown) => {
      opened.close(error)
      finish(error)
    }
    return {
      next(message) {
        const content = readSocketMessage(message)
        if ('violation' in content) return end(opened.badMessage(content.violation))
        if ('problem' in content) return end(opened.errorOf(content.problem))
        const { result } = content
        const [onlyId = ''] = contexts.size === 1 ? contexts.keys() : []
        const contextId = result.contextId || onlyId
        // The audio of a context that was closed, or that this version does not know.
        contexts.get(contextId)?.receive(result)
        if (result.isClosed || result.problem) contexts.delete(contextId)
        adjustReading()
      },
      end: () => finish(opened.closedEarly()),
      error: finish,
    }
  }

  const lasting = { ...call, timeoutMs: undefined, deadline: () => undefined }
  const attempt = { ...lasting, signal: anySignal(call.signal, leaving.signal) }
  const opening = transport.openSocket({ what, path, isShared: true }, attempt, receive)
  opening.catch(finish)

  const keepAlive = setInterval(() => {
    for (const [contextId, { takesText }] of contexts) {
      if (takesText) socket?.send(JSON.stringify({ contextId, send_text: { text: '' } }))
    }
  }, keepAliveMs)
  keepAlive.unref()

  const close = async () => {
    finish(new InputError(`${what} failed: the speech socket is closed`))
    leaving.abort()
    socket?.close()
  }

  return {
    get requestId() {
      return socket?.requestId
    },
    get isOpen() {
      return !outcome
    },
    get freeContexts() {
      return outcome ? 0 : speechSocketLimits.maxContexts - contexts.size
    },
    async opened() {
      await opening
    },
    context(input, contextOptions) {
      const settings = parseInput(contextInputSchema, input, 'Speech context')
      const contextCall = { ...createCall(options, contextOptions), purpose: call.purpose }
      if (outcome) {
        throw new InputError(`${what} failed: the speech socket is closed; open a new one`)
      }
      const { maxContexts } = speechSocketLimits
      if (contexts.size >= maxContexts) {
        const message = `${what} failed: the speech socket has ${maxContexts} contexts; end one, or open another socket`
        throw new InputError(message)
      }
      count += 1
      const contextId = `context-${count}`
      const { audioEncoding: encoding, sampleRateHertz } = chooseFormat(settings.audioConfig)
      const connected = createSpeechContext({
        contextId,
        settings,
        format: { encoding, mediaType: encodings[encoding].mediaType, sampleRateHertz },
        call: contextCall,
        options,
        connection: {
          async start(signal) {
            const opened = await opening
            return { socket: opened, release: await transport.acquire(signal) }
          },
          onReaderChange: adjustReading,
          onUnused: () => void contexts.delete(contextId),
        },
      })
      contexts.set(contextId, connected)
      adjustReading()
      return connected.context
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
