import { speechRequestSchema } from '@parlando/core/wire'
import type { AudioLayout } from '../encoding/encoder.ts'
import type { PhraseLimits } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/registry.ts'
import { ServiceError } from '../errors.ts'
import { camelCaseKeys } from '../http/camel-case.ts'
import { parseRequest } from '../http/parse-request.ts'
import { readScript, type ScriptPart } from '../text/markup.ts'
import type { Catalogue, SpeakingVoice } from '../voices/catalogue.ts'
import type { Prosody } from '../voices/prosody.ts'
import { models } from './models.ts'
import { readLayout } from './read-layout.ts'
import { readProsody } from './read-prosody.ts'
import { rejectUnsupportedFields } from './unsupported-fields.ts'

// Enough to see what such a name looks like; with clones and engines there can be hundreds.
const namedVoices = 10

/** A request that was found good: all that is needed to speak it. */
export interface SynthesisRequest {
  /** As it was sent. */
  text: string
  /** What of the text is spoken, and the breaks between. */
  script: readonly ScriptPart[]
  modelId: string
  voice: SpeakingVoice
  running: RunningEngine
  limits: PhraseLimits
  layout: AudioLayout
  prosody: Prosody
  /** Whether the times of the words are wanted, and in a stream only after all audio. */
  withWords: boolean
  wordsLast: boolean
}

/** What there is to order from. */
export interface ServiceContext {
  catalogue: Catalogue
  engines: RunningEngines
}

/**
 * Reads a request's body.
 * @throws {ServiceError} for what is wrong in it and for what the engine cannot do: nothing asked for is left out in silence.
 */
export function readSynthesisRequest(
  body: unknown,
  service: ServiceContext,
  maxTextCharacters: number,
): SynthesisRequest {
  const request = parseRequest(speechRequestSchema, camelCaseKeys(body))
  const { text, modelId } = request
  if (text.length > maxTextCharacters) {
    const message = `text: ${text.length} characters are more than the ${maxTextCharacters} this call takes`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const limits = models.get(modelId)
  if (!limits) {
    const known = [...models.keys()].join(', ')
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `Unknown model: ${modelId}. This service has ${known}`,
    )
  }
  const voice = service.catalogue.find(request.voiceId)
  const running = voice && service.engines.get(voice.engine)
  if (!running) {
    const known = service.catalogue.list().map(({ voiceId }) => voiceId)
    const some = known.slice(0, namedVoices).join(', ')
    const more = known.length > namedVoices ? `, … ${known.length} in all` : ''
    const message = `Unknown voice: ${request.voiceId}. This service has ${some}${more}`
    throw new ServiceError('NOT_FOUND', message)
  }
  rejectUnsupportedFields(request, voice, running.engine)
  const script = readScript(text)
  const spoken = script.map((part) => ('text' in part ? part.text : '')).join(' ')
  const error = running.engine.unsupportedReason(spoken, voice.engineVoice)
  if (error) throw new ServiceError('INVALID_ARGUMENT', `text: ${error}`)
  return {
    text,
    script,
    modelId,
    voice,
    running,
    limits: running.engine.phraseLimits ?? limits,
    layout: readLayout(request.audioConfig),
    prosody: readProsody(request),
    withWords: request.timestampType === 'WORD',
    wordsLast: request.timestampTransportStrategy === 'ASYNC',
  }
}
