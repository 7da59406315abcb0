import { hasSpeakable, speakableText } from '@parlando/core/text'
import type { AudioEncoding, RealtimeFormat } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import { realClock } from '../../realtime/clock.ts'
import type { LanguageModel } from '../../realtime/language-model.ts'
import type { Speak } from '../../realtime/sentence-speech.ts'
import type { SessionContext } from '../../realtime/session-context.ts'
import type { OutputSettings } from '../../realtime/session-settings.ts'
import { addBefore, addText, resolveSettings } from '../../speech/synthesis-request.ts'
import { synthesize } from '../../speech/synthesize.ts'
import { isServiceFault } from '../../to-service-error.ts'
import { echoModel } from '../chat/echo.ts'
import { autoModel, upstreamName } from '../chat/upstream-name.ts'
import type { ApiContext } from '../endpoint.ts'
import { isOpenAiRealtimeModel, isOpenAiVoice } from '../openai-names.ts'
import { findRequestedModel } from '../transcription/find-requested-model.ts'
import { echoLanguageModel } from './echo-model.ts'
import { createUpstreamModel } from './upstream-model.ts'

const modelLimitMs = 5 * 60_000
/** The slowest rate that the voices support. */
const minSpeakingRate = 0.5

const encodingOf: Readonly<Record<RealtimeFormat, AudioEncoding>> = {
  'audio/pcm': 'PCM',
  'audio/pcmu': 'MULAW',
  'audio/pcma': 'ALAW',
}

/** Connects sessions to the models, voices and recognisers of this service. */
export function createSessionContext(service: ApiContext): SessionContext {
  return {
    findModel: (name) => findLanguageModel(name, service),
    findVoice: (name) => findVoice(name, service),
    createSpeak: (output) => createSpeak(output, service),
    findRecogniser(transcription) {
      const { model: modelId, language } = transcription ?? {}
      return findRequestedModel(service, { modelId, language })
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
  { chatUpstream, modelAliases }: ApiContext,
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

function findVoice(name: string | undefined, { catalogue, defaultVoice }: ApiContext): string {
  const known = catalogue.find(name ?? '')
  if (known) return known.voice.voiceId
  const fallback = catalogue.find(defaultVoice ?? '')?.voice ?? catalogue.list()[0]
  const isReplaced = name === undefined || defaultVoice !== undefined || isOpenAiVoice(name)
  if (fallback && isReplaced) return fallback.voiceId
  const message = `Unknown voice: ${name}. GET /voices/v1/voices lists the voices of this service`
  throw new ServiceError('NOT_FOUND', message)
}

function createSpeak(output: OutputSettings, service: ApiContext): Speak {
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
