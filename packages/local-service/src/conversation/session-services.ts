import { hasSpeakable, speakableText } from '@parlando/core/text'
import { echoModel } from '../chat/echo/echo.ts'
import { echoLanguageModel } from '../chat/echo/echo-language-model.ts'
import { autoModel, findChatModel, unknownChatModel } from '../chat/find-chat-model.ts'
import type { LanguageModel } from '../chat/language-model.ts'
import type { ChatUpstream } from '../chat/upstream/chat-upstream.ts'
import { createUpstreamModel } from '../chat/upstream/upstream-language-model.ts'
import { ServiceError } from '../errors/service-error.ts'
import { isServiceFault } from '../errors/to-service-error.ts'
import type { TurnModels } from '../listening/turns/turn-detector.ts'
import type { Metrics } from '../metrics/service-metrics.ts'
import {
  type FoundModel,
  findRecogniserModel,
  listModels,
  type RunningRecognisers,
} from '../recognisers/recogniser-registry.ts'
import { isOpenAiRealtimeModel, isOpenAiVoice } from '../requests/model-names.ts'
import type { RequestTrace } from '../server/observability/request-trace.ts'
import {
  addBefore,
  addText,
  resolveSettings,
  type ServiceContext,
} from '../speaking/synthesis-request.ts'
import { synthesizeText } from '../speaking/synthesize-text.ts'
import { findVoiceFor, keepVoiceFor } from '../voices/spoken-languages.ts'
import { type Clock, realClock } from './clock.ts'
import type { Speak } from './response/respond-in-speech.ts'
import { encodingOf, type InputTranscription, type SpeechOutput } from './session-settings.ts'

const modelLimitMs = 5 * 60_000
/** The slowest rate that the voices support. */
const minSpeakingRate = 0.5

/** The parts of the running service that conversations need. */
export interface ConversationContext extends ServiceContext, TurnModels {
  recognisers: RunningRecognisers
  /** Default: only the built-in echo responds. */
  chatUpstream?: ChatUpstream
  metrics?: Metrics
  /** Called with failures that the caller did not cause. */
  onFailure(error: unknown): void
}

/** What a session needs of the service. */
export interface SessionServices extends TurnModels {
  /** @throws {ServiceError} if the model is unknown. */
  findLanguageModel(name: string): Promise<LanguageModel>
  /**
   * @param name of a voice, or of one of OpenAI's, which the default voice replaces. Default: the default voice.
   * @param language of the user, which decides the default voice unless the service has one for all languages.
   * @returns the id of a voice of this service.
   * @throws {ServiceError} if the voice is unknown.
   */
  findVoice(name: string | undefined, language?: string): string
  /** @returns this voice if it may speak the language, or else one that does; undefined if there is none. */
  findVoiceFor(language: string, voice: string): string | undefined
  /** @throws {ServiceError} if the service cannot speak with these settings. */
  createSpeak(output: SpeechOutput): Speak
  /** Texts need no recogniser and no language. @throws {ServiceError} if there are recognisers, but not this one. */
  rejectUnknownRecogniser(modelId: string | undefined): void
  /** @throws {ServiceError} if no recogniser is installed, or if the model or the language is unknown. */
  findRecogniser(transcription: InputTranscription | null): FoundModel
  clock: Clock
  /** How long a language model may write one response, in milliseconds. */
  modelLimitMs: number
  /** Receives failures of the service. */
  onFailure(error: unknown): void
}

/** The client whose session it is. */
interface SessionClient {
  caller: string
  /** The trace of the handshake. Absent if nobody traces it. */
  trace?: RequestTrace | undefined
}

/** Connects the sessions of a caller to the models, voices and recognisers of this service. */
export function createSessionServices(
  service: ConversationContext,
  client: SessionClient,
): SessionServices {
  return {
    findLanguageModel: (name) => findLanguageModel(name, service),
    findVoice: (name, language) => findVoice(name, language, service),
    findVoiceFor(language, voice) {
      const { voiceList } = service
      const found = keepVoiceFor(language, voiceList.find(voice)?.voice, voiceList.list())
      return found?.voiceId
    },
    createSpeak: (output) => createSpeak(output, service, client),
    rejectUnknownRecogniser(modelId) {
      if (listModels(service.recognisers).length > 0) findRecogniserModel(service, { modelId })
    },
    findRecogniser(transcription) {
      const { model: modelId, language } = transcription ?? {}
      return findRecogniserModel(service, { modelId, language })
    },
    speechDetector: service.speechDetector,
    endOfTurnModel: service.endOfTurnModel,
    clock: realClock,
    modelLimitMs,
    onFailure(error) {
      if (isServiceFault(error)) service.onFailure(error)
    },
  }
}

async function findLanguageModel(
  given: string,
  { chatUpstream, modelAliases }: ConversationContext,
): Promise<LanguageModel> {
  const model = await findChatModel(chatName(modelAliases?.get(given) ?? given), chatUpstream)
  if (!model) throw unknownChatModel(given)
  return model.kind === 'echo' ? echoLanguageModel : createUpstreamModel(model.upstream, model.name)
}

/** The name of a model in chats. In a session, `echo` is never a model of the upstream. */
function chatName(name: string): string {
  if (name === 'echo') return echoModel
  return name === '' || isOpenAiRealtimeModel(name) ? autoModel : name
}

function findVoice(
  name: string | undefined,
  language: string | undefined,
  { voiceList, defaultVoice }: ConversationContext,
): string {
  const known = voiceList.find(name ?? '')
  if (known) return known.voice.voiceId
  const voices = voiceList.list()
  const fallback =
    voiceList.find(defaultVoice ?? '')?.voice ??
    (language && findVoiceFor(language, voices)) ??
    voices[0]
  const isReplaced = name === undefined || defaultVoice !== undefined || isOpenAiVoice(name)
  if (fallback && isReplaced) return fallback.voiceId
  const message = `Unknown voice: ${name}. GET /voices/v1/voices lists the voices of this service`
  throw new ServiceError('NOT_FOUND', message)
}

function createSpeak(
  output: SpeechOutput,
  service: ConversationContext,
  { caller, trace }: SessionClient,
): Speak {
  const settings = resolveSettings(
    {
      voiceId: output.voice,
      modelId: output.model,
      audioConfig: {
        audioEncoding: encodingOf[output.format.type],
        sampleRateHertz: output.format.rate,
        speakingRate: Math.max(minSpeakingRate, output.speed),
      },
    },
    service,
  )
  let before = ''
  return async function* (text, signal) {
    const speakable = speakableText(text)
    if (!hasSpeakable(speakable)) return
    const request = addText(settings, speakable, { isPart: true, before })
    before = addBefore(before, speakable)
    // The number of sessions is limited, so a session that goes on is never rejected.
    yield* synthesizeText({ ...request, caller, isContinued: true }, trace, signal)
  }
}
