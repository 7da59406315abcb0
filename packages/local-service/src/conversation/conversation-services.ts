import { hasSpeakable, speakableText } from '@parlando/core/text'
import { autoModel, type ChatUpstream, upstreamName } from '../chat/chat-upstream.ts'
import { echoModel } from '../chat/echo.ts'
import { ServiceError } from '../errors/service-error.ts'
import { isServiceFault } from '../errors/to-service-error.ts'
import type { TurnModels } from '../listening/turns/turn-detector.ts'
import type { Metrics } from '../metrics/service-metrics.ts'
import {
  findRecogniserModel,
  listModels,
  type RunningRecognisers,
} from '../recognisers/recogniser-registry.ts'
import { isOpenAiRealtimeModel, isOpenAiVoice } from '../requests/model-names.ts'
import type { RequestTrace } from '../server/request-trace.ts'
import {
  addBefore,
  addText,
  resolveSettings,
  type ServiceContext,
} from '../speaking/synthesis-request.ts'
import { synthesizeText } from '../speaking/synthesize-text.ts'
import { findVoiceFor, keepVoiceFor } from '../voices/spoken-languages.ts'
import { realClock } from './clock.ts'
import { echoLanguageModel } from './language-models/echo-model.ts'
import type { LanguageModel } from './language-models/language-model.ts'
import { createUpstreamModel } from './language-models/upstream-model.ts'
import type { Speak } from './response/respond-in-speech.ts'
import type { SessionContext } from './session-context.ts'
import { encodingOf, type SpeechOutput } from './session-settings.ts'

const modelLimitMs = 5 * 60_000
/** The slowest rate that the voices support. */
const minSpeakingRate = 0.5

/** The parts of the service that a session can use. */
export interface ConversationServices extends ServiceContext, TurnModels {
  recognisers: RunningRecognisers
  /** Default: only the built-in echo responds. */
  chatUpstream?: ChatUpstream
  metrics?: Metrics
  /** Called with failures that the caller did not cause. */
  onFailure(error: unknown): void
}

/** Whose session it is. */
interface SessionClient {
  caller: string
  /** That of the handshake. Absent: nobody traces it. */
  trace?: RequestTrace | undefined
}

/** Connects the sessions of a caller to the models, voices and recognisers of this service. */
export function createSessionContext(
  service: ConversationServices,
  client: SessionClient,
): SessionContext {
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
  { chatUpstream, modelAliases }: ConversationServices,
): Promise<LanguageModel> {
  const aliased = modelAliases?.get(given) ?? given
  const isAny = aliased === '' || aliased === autoModel || isOpenAiRealtimeModel(aliased)
  if (aliased === echoModel || aliased === 'echo') return echoLanguageModel
  if (!chatUpstream) {
    if (isAny) return echoLanguageModel
    const message = `Unknown model: ${given}. This service has ${echoModel}; for language models, start it with --chat-upstream and the base URL of a server that has them, such as http://127.0.0.1:11434/v1`
    throw new ServiceError('NOT_FOUND', message)
  }
  const name = await upstreamName(chatUpstream, isAny ? autoModel : aliased)
  return createUpstreamModel(chatUpstream, name)
}

function findVoice(
  name: string | undefined,
  language: string | undefined,
  { voiceList, defaultVoice }: ConversationServices,
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
  service: ConversationServices,
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
