import {
  defaultBufferCharThreshold,
  type SpeechContextSettings,
  speechSocketLimits,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../../errors.ts'
import { add } from '../../metrics/socket-metrics.ts'
import type { ClientSocket } from '../../server/client-socket.ts'
import { reportSpeech, type SpeechFacts } from '../../server/observe.ts'
import { resolveSettings, type SynthesisSettings } from '../../speaking/synthesis-request.ts'
import { isServiceFault, toServiceError } from '../../to-service-error.ts'
import type { ApiContext } from '../endpoint.ts'
import { createSpeechContext, type SpeechContext } from './speech-context.ts'

/** The contexts of one connection. Every context ends with `contextClosed`, also after an error. */
export interface OpenContexts {
  /** The only open context, if there is exactly one. */
  readonly onlyId: string | undefined
  /** @throws {ServiceError} if the settings are not valid, or there are too many contexts. */
  create(contextId: string, settings: SpeechContextSettings): Promise<void>
  /** @throws {ServiceError} `NOT_FOUND`. */
  find(contextId: string): SpeechContext
  /** Whether the client has closed the context, which still speaks. */
  isEnding(contextId: string): boolean
  /** Flushes and ends a context. @throws {ServiceError} `NOT_FOUND`. */
  close(contextId: string): void
  /** Ends a context with an error. The context need not exist. */
  fail(contextId: string, error: unknown): Promise<void>
  /** Whether any context speaks. */
  readonly areSpeaking: boolean
  /** Flushes and ends every context. Resolves when everything is spoken. */
  closeAll(): Promise<void>
  /** Ends the work of every context, without messages. */
  abort(): void
}

interface OpenContext {
  context: SpeechContext
  abort(): void
  /** Set when the client has closed the context, which may still speak. */
  ended?: Promise<void>
}

const okStatus = { code: 0, message: '', details: [] }

export function createOpenContexts(
  service: ApiContext,
  handshake: Context,
  socket: ClientSocket,
): OpenContexts {
  const open = new Map<string, OpenContext>()
  const facts: SpeechFacts = { modelId: '', characters: 0, audioSeconds: 0 }
  let isAborted = false

  // After an abort, the error of the connection is the last message.
  const send = async (contextId: string, result: object, status: object = okStatus) => {
    if (!isAborted) await socket.send({ result: { contextId, ...result, status } })
  }

  const find = (contextId: string): OpenContext => {
    const found = open.get(contextId)
    if (found && !found.ended) return found
    const message = `contextId: there is no open context with this id; send create first`
    throw new ServiceError('NOT_FOUND', message)
  }

  const sendError = async (contextId: string, error: unknown) => {
    if (isServiceFault(error)) service.onFailure(error)
    await send(contextId, {}, toServiceError(error).body)
  }

  const fail = async (contextId: string, error: unknown) => {
    open.get(contextId)?.abort()
    open.delete(contextId)
    await sendError(contextId, error)
    await send(contextId, { contextClosed: {} })
  }

  const close = (contextId: string): Promise<void> => {
    const found = find(contextId)
    found.ended = found.context.close().then(async () => {
      // After an error, the context has already ended.
      if (open.get(contextId) !== found) return
      open.delete(contextId)
      await send(contextId, { contextClosed: {} })
      // A signal that depends on that of the socket is kept until one of them is aborted.
      found.abort()
    })
    return found.ended
  }

  return {
    get onlyId() {
      const [first, second] = open.keys()
      return second === undefined ? first : undefined
    },
    async create(contextId, settings) {
      if (open.has(contextId)) {
        const message = 'contextId: a context with this id is open; choose another id'
        return sendError(contextId, new ServiceError('ALREADY_EXISTS', message))
      }
      const { maxContexts } = speechSocketLimits
      if (open.size >= maxContexts) {
        const message = `A connection has at most ${maxContexts} contexts; close one, or open another connection`
        throw new ServiceError('RESOURCE_EXHAUSTED', message)
      }
      const synthesis = resolveSettings(settings, service)
      rejectStrategy(settings, synthesis)
      facts.modelId = synthesis.modelId
      reportSpeech(handshake, facts)
      const ending = new AbortController()
      const context = createSpeechContext({
        settings,
        synthesis,
        facts,
        signal: AbortSignal.any([socket.signal, ending.signal]),
        send: (result) => send(contextId, result),
        onFailure: (error) => fail(contextId, error),
      })
      if (service.metrics) add(service.metrics.sockets.contexts, synthesis.modelId)
      open.set(contextId, { context, abort: () => ending.abort() })
      await send(contextId, { contextCreated: effectiveSettings(settings, synthesis) })
    },
    find: (contextId) => find(contextId).context,
    isEnding: (contextId) => open.get(contextId)?.ended !== undefined,
    close: (contextId) => void close(contextId),
    fail,
    get areSpeaking() {
      return [...open.values()].some(({ context }) => context.isSpeaking)
    },
    async closeAll() {
      await Promise.all([...open].map(([id, { ended }]) => ended ?? close(id)))
    },
    abort() {
      isAborted = true
      for (const { abort } of open.values()) abort()
    },
  }
}

function rejectStrategy(
  { autoModeStrategy }: SpeechContextSettings,
  { modelId }: SynthesisSettings,
): void {
  if (autoModeStrategy !== 'SENTENCE_BOUNDARY' || modelId !== 'svc-tts-1.5-max') return
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
