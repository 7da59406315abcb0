import { encodings } from '@parlando/core/audio'
import { defaultAudioConfig, type SpeechRequest, speechRequestSchema } from '@parlando/core/wire'
import type { PhraseLimits } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/registry.ts'
import { Refusal } from '../refusal.ts'
import type { Catalogue, SpeakingVoice } from '../voices/catalogue.ts'
import { type AudioLayout, madeEncodings } from './encoder.ts'
import { models } from './models.ts'

/** A request that was found good: all that is needed to speak it. */
export interface SpeechOrder {
  text: string
  modelId: string
  voice: SpeakingVoice
  running: RunningEngine
  limits: PhraseLimits
  layout: AudioLayout
  withWords: boolean
}

/** What there is to order from. */
export interface SpeechMenu {
  catalogue: Catalogue
  engines: RunningEngines
}

/**
 * Reads a request's body.
 * @throws {Refusal} for what is wrong in it and for what the engine cannot do: nothing asked for is left out in silence.
 */
export function readSpeechOrder(
  body: unknown,
  menu: SpeechMenu,
  maxTextCharacters: number,
): SpeechOrder {
  const request = parseRequest(body)
  const { text, modelId } = request
  if (text.length > maxTextCharacters) {
    const message = `text: ${text.length} characters are more than the ${maxTextCharacters} this call takes`
    throw new Refusal('INVALID_ARGUMENT', message)
  }
  const limits = models[modelId]
  if (!limits) {
    const known = Object.keys(models).join(', ')
    throw new Refusal('INVALID_ARGUMENT', `Unknown model: ${modelId}. This service has ${known}`)
  }
  const voice = menu.catalogue.find(request.voiceId)
  const running = voice && menu.engines.get(voice.engine)
  if (!running) {
    const known = menu.catalogue.list().map(({ voiceId }) => voiceId)
    const message = `Unknown voice: ${request.voiceId}. This service has ${known.join(', ')}`
    throw new Refusal('NOT_FOUND', message)
  }
  refuseWhatCannotBeDone(request)
  const refusal = running.engine.refusalOf(text, voice.engineVoice)
  if (refusal) throw new Refusal('INVALID_ARGUMENT', refusal)
  return {
    text,
    modelId,
    voice,
    running,
    limits: running.engine.phraseLimits ?? limits,
    layout: readLayout(request),
    withWords: false,
  }
}

function parseRequest(body: unknown): SpeechRequest {
  const parsed = speechRequestSchema.safeParse(body)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Refusal('INVALID_ARGUMENT', problems.join('; '))
}

function readLayout(request: SpeechRequest): AudioLayout {
  const { audioEncoding, sampleRateHertz } = { ...defaultAudioConfig, ...request.audioConfig }
  if (!madeEncodings.includes(audioEncoding)) {
    const message = `audioEncoding ${audioEncoding} is not made by this service; it makes ${madeEncodings.join(', ')}`
    throw new Refusal('UNIMPLEMENTED', message)
  }
  const rates = encodings[audioEncoding].sampleRatesHertz
  if (!rates.includes(sampleRateHertz)) {
    const message = `${audioEncoding} cannot carry ${sampleRateHertz} Hz; it carries ${rates.join(', ')}`
    throw new Refusal('INVALID_ARGUMENT', message)
  }
  return { audioEncoding, sampleRateHertz, bitRate: request.audioConfig?.bitRate ?? 128_000 }
}

function refuseWhatCannotBeDone(request: SpeechRequest): void {
  const { language, timestampType, audioConfig } = request
  const asked = {
    'audioConfig.speakingRate': (audioConfig?.speakingRate ?? 1) !== 1,
    instruction: Boolean(request.instruction),
    timestampType: timestampType === 'WORD' || timestampType === 'CHARACTER',
    enhanceGeneration: request.enhanceGeneration === true,
    'deliveryMode CREATIVE': request.deliveryMode === 'CREATIVE',
    'applyTextNormalization OFF': request.applyTextNormalization === 'OFF',
    [`language ${language}`]: language !== undefined && !/^(en([-_]|$)|auto$)/i.test(language),
  }
  const refused = Object.keys(asked).find((name) => asked[name as keyof typeof asked])
  if (refused) throw new Refusal('UNIMPLEMENTED', `${refused} cannot be done by this service`)
}
