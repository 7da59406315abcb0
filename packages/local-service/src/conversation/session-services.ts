import { hasSpeakable, speakableText } from '@parlando/core/text'
import { autoModel, type ChatUpstream, upstreamName } from '../chat/chat-upstream.ts'
import { echoModel } from '../chat/echo.ts'
import { ServiceError } from '../errors.ts'
import type { SpeechDetector } from '../listening/turns/detectors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { isOpenAiRealtimeModel, isOpenAiVoice } from '../openai-names.ts'
import type { RunningRecognisers } from '../recognisers/registry.ts'
import { findModel } from '../recognisers/registry.ts'
import {
  addBefore,
  addText,
  resolveSettings,
  type ServiceContext,
} from '../speaking/synthesis-request.ts'
import { synthesize } from '../speaking/synthesize.ts'
import { isServiceFault } from '../to-service-error.ts'
import { realClock } from './clock.ts'
import { echoLanguageModel } from './echo-model.ts'
import type { LanguageModel } from './language-model.ts'
import type { Speak } from './sentence-speech.ts'
import type { SessionContext } from './session-parts.ts'
import { encodingOf, type OutputSettings } from './session-settings.ts'
import { createUpstreamModel } from './upstream-model.ts'

const modelLimitMs = 5 * 60_000
/** The slowest rate that the voices support. */
const minSpeakingRate = 0.5

/** The parts of the service that a session can use. */
export interface ConversationServices extends ServiceContext {
  recognisers: RunningRecognisers
  /** Default: turns are found without one. */
  speechDetector?: SpeechDetector
  /** Default: only the built-in echo responds. */
  chatUpstream?: ChatUpstream
  metrics?: Metrics
  /** Called with failures that the caller did not cause. */
  onFailure(error: unknown): void
}

/** Connects sessions to the models, voices and recognisers of this service. */
export function createSessionContext(service: ConversationServices): SessionContext {
  return {
    findModel: (name) => findLanguageModel(name, service),
    findVoice: (name) => findVoice(name, service),
    createSpeak: (output) => createSpeak(output, service),
    findRecogniser(transcription) {
      const { model: modelId, language } = transcription ?? {}
      return findModel(service, { modelId, language })
    },
    speechDetector: service.speechDetector,
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
  { catalogue, defaultVoice }: ConversationServices,
): string {
  const known = catalogue.find(name ?? '')
  if (known) return known.voice.voiceId
  const fallback = catalogue.find(defaultVoice ?? '')?.voice ?? catalogue.list()[0]
  const isReplaced = name === undefined || defaultVoice !== undefined || isOpenAiVoice(name)
  if (fallback && isReplaced) return fallback.voiceId
  const message = `Unknown voice: ${name}. GET /voices/v1/voices lists the voices of this service`
  throw new ServiceError('NOT_FOUND', message)
}

function createSpeak(output: OutputSettings, service: ConversationServices): Speak {
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
    yield* synthesize(request, signal)
  }
}
