import {
  defaultBufferCharThreshold,
  type SpeechContextSettings,
  speechSocketLimits,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../../../errors/service-error.ts'
import { isServiceFault, toServiceError } from '../../../errors/to-service-error.ts'
import { addToTally } from '../../../metrics/socket-metrics.ts'
import { callerOf } from '../../../server/admission/caller.ts'
import type { SpeechFacts } from '../../../server/observability/finished-request.ts'
import { reportSpeech, traceOf } from '../../../server/observability/observe.ts'
import type { ClientSocket } from '../../../server/sockets/client-socket.ts'
import { resolveSettings, type SynthesisSettings } from '../../../speaking/synthesis-request.ts'
import type { ApiContext } from '../../app/endpoint.ts'
import { SpeechContext } from './speech-context.ts'

interface OpenContext {
  context: SpeechContext
  abort(): void
  /** Set when the client has closed the context, which may still speak. */
  ended?: Promise<void>
}

const okStatus = { code: 0, message: '', details: [] }

/** The contexts of one connection. Every context ends with `contextClosed`, also after an error. */
export class OpenContexts {
  readonly #service: ApiContext
  readonly #handshake: Context
  readonly #socket: ClientSocket
  readonly #open = new Map<string, OpenContext>()
  readonly #facts: SpeechFacts = { modelId: '', characters: 0, audioSeconds: 0 }
  #isAborted = false

  constructor(service: ApiContext, handshake: Context, socket: ClientSocket) {
    this.#service = service
    this.#handshake = handshake
    this.#socket = socket
  }

  /** The only open context, if there is exactly one. */
  get onlyId(): string | undefined {
    const [first, second] = this.#open.keys()
    return second === undefined ? first : undefined
  }

  /** Whether any context speaks. */
  get areSpeaking(): boolean {
    return [...this.#open.values()].some(({ context }) => context.isSpeaking)
  }

  /** @throws {ServiceError} if the settings are not valid, or there are too many contexts. */
  async create(contextId: string, settings: SpeechContextSettings): Promise<void> {
    if (this.#open.has(contextId)) {
      const message = 'contextId: a context with this id is open; choose another id'
      return this.#sendError(contextId, new ServiceError('ALREADY_EXISTS', message))
    }
    const { maxContexts } = speechSocketLimits
    if (this.#open.size >= maxContexts) {
      const message = `A connection has at most ${maxContexts} contexts; close one, or open another connection`
      throw new ServiceError('RESOURCE_EXHAUSTED', message)
    }
    const synthesis = {
      ...resolveSettings(settings, this.#service),
      caller: callerOf(this.#handshake),
    }
    rejectStrategy(settings, synthesis)
    this.#facts.modelId = synthesis.modelId
    reportSpeech(this.#handshake, this.#facts)
    const ending = new AbortController()
    const context = new SpeechContext({
      settings,
      synthesis,
      trace: traceOf(this.#handshake),
      facts: this.#facts,
      signal: AbortSignal.any([this.#socket.signal, ending.signal]),
      send: (result) => this.#send(contextId, result),
      onFailure: (error) => this.fail(contextId, error),
    })
    const { metrics } = this.#service
    if (metrics) addToTally(metrics.sockets.contexts, synthesis.modelId)
    this.#open.set(contextId, { context, abort: () => ending.abort() })
    await this.#send(contextId, { contextCreated: effectiveSettings(settings, synthesis) })
  }

  /** @throws {ServiceError} `NOT_FOUND`. */
  find(contextId: string): SpeechContext {
    return this.#find(contextId).context
  }

  /** Whether the client has closed the context, which still speaks. */
  isEnding(contextId: string): boolean {
    return this.#open.get(contextId)?.ended !== undefined
  }

  /** Flushes and ends a context. Resolves when everything is spoken. @throws {ServiceError} at once, `NOT_FOUND`. */
  close(contextId: string): Promise<void> {
    const found = this.#find(contextId)
    found.ended = found.context.close().then(async () => {
      // After an error, the context has already ended.
      if (this.#open.get(contextId) !== found) return
      this.#open.delete(contextId)
      await this.#send(contextId, { contextClosed: {} })
      // A signal that depends on that of the socket is kept until one of them is aborted.
      found.abort()
    })
    return found.ended
  }

  /** Ends a context with an error. The context need not exist. */
  async fail(contextId: string, error: unknown): Promise<void> {
    this.#open.get(contextId)?.abort()
    this.#open.delete(contextId)
    await this.#sendError(contextId, error)
    await this.#send(contextId, { contextClosed: {} })
  }

  /** Flushes and ends every context. Resolves when everything is spoken. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map(([id, { ended }]) => ended ?? this.close(id)))
  }

  /** Ends the work of every context, without messages. */
  abort(): void {
    this.#isAborted = true
    for (const { abort } of this.#open.values()) abort()
  }

  #find(contextId: string): OpenContext {
    const found = this.#open.get(contextId)
    if (found && !found.ended) return found
    // pipecat ignores the error of a late message by these first words.
    const message = 'Context not found: no context with this contextId is open; send create first'
    throw new ServiceError('NOT_FOUND', message)
  }

  async #sendError(contextId: string, error: unknown): Promise<void> {
    if (isServiceFault(error)) this.#service.onFailure(error)
    await this.#send(contextId, {}, toServiceError(error).body)
  }

  /** After an abort, the error of the connection is the last message. */
  async #send(contextId: string, result: object, status: object = okStatus): Promise<void> {
    if (!this.#isAborted) await this.#socket.send({ result: { contextId, ...result, status } })
  }
}

function rejectStrategy(
  { autoModeStrategy }: SpeechContextSettings,
  { modelId }: SynthesisSettings,
): void {
  if (autoModeStrategy !== 'SENTENCE_BOUNDARY' || !modelId.startsWith('svc-tts-1.5-')) return
  const message = `create.autoModeStrategy: ${modelId} does not support SENTENCE_BOUNDARY; choose svc-tts-2 or svc-tts-2-flash`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function effectiveSettings(
  settings: SpeechContextSettings,
  { modelId, voice, layout, prosody }: SynthesisSettings,
): SpeechContextSettings {
  const { audioEncoding, sampleRateHertz } = layout
  const { speakingRate } = prosody
  return {
    bufferCharThreshold: defaultBufferCharThreshold,
    maxBufferDelayMs: 0,
    autoMode: false,
    ...settings,
    modelId,
    voiceId: voice.voice.voiceId,
    audioConfig: { ...settings.audioConfig, audioEncoding, sampleRateHertz, speakingRate },
  } as SpeechContextSettings
}
