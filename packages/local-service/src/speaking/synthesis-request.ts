import { sentenceEnds } from '@parlando/core/text'
import {
  type SpeechModelId,
  type SpeechRequest,
  type SpeechWarning,
  speechModelIds,
} from '@parlando/core/wire'
import type { EncoderPool } from '../audio/encoding/encoder-pool.ts'
import type { AudioLayout } from '../audio/encoding/encoder-types.ts'
import type { Engine } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/engine-registry.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { SpeechTrace } from '../server/observability/request-trace.ts'
import type { PhraseLimits } from '../text/phrases.ts'
import { readScript, type ScriptPart } from '../text/read-script.ts'
import { type Prosody, readProsody } from '../voices/prosody.ts'
import type { SpeakingVoice } from '../voices/speaking-voice.ts'
import type { VoiceList } from '../voices/voice-list.ts'
import { readLayout, rejectUnsupportedFields } from './request-fields.ts'
import { findWarnings } from './warnings.ts'

/** How a voice speaks: what all phrases of a request share. */
export interface Delivery {
  modelId: string
  voice: SpeakingVoice
  running: RunningEngine
  prosody: Prosody
  /** The language that the request names. Absent: not known. */
  language?: string
  /** Whether the caller wants the times of the words. */
  withWords: boolean
  /** Who wants the speech: callers share an engine. Default: all such requests have the same caller. */
  caller?: string
  /** Receives when each phrase waits and is spoken. Absent: nobody traces the request. */
  trace?: SpeechTrace | undefined
}

/** A script, and how a voice speaks it. */
export interface Utterance extends Delivery {
  /** The parts of the text that are spoken, and the breaks between them. */
  script: readonly ScriptPart[]
  /** Whether more text may follow: the pause after the last word is then that of its punctuation. */
  isPart: boolean
  /** The beginning of the first sentence, if an earlier text contained it. */
  before?: string | undefined
  /** Whether it continues what its listener hears, so that it is spoken even if the service is busy. */
  isContinued?: boolean
  /** The lengths of its phrases. */
  limits: PhraseLimits
  /** While the engine speaks, it may add those of another service. Absent if nobody reads them. */
  warnings?: SpeechWarning[]
}

/** A valid request, with everything that is needed to speak it. */
export interface SynthesisRequest extends SynthesisSettings, Utterance {
  /** The unchanged text of the request. */
  text: string
  warnings: SpeechWarning[]
}

/** How to speak and encode: a request without its text. */
export interface SynthesisSettings extends Delivery {
  encoders: EncoderPool
  /** All voices, for advice. */
  voiceList: VoiceList
  limits: PhraseLimits
  layout: AudioLayout
  /** Whether the request wants the times of words from an engine that has none: it is spoken without them. */
  lacksWordTimes: boolean
  /** Whether a stream sends the times of the words after all audio. */
  wordsLast: boolean
}

/** The parts of the service that a request can use. */
export interface ServiceContext {
  voiceList: VoiceList
  engines: RunningEngines
  encoders: EncoderPool
  /** Further names of models. Default: none. */
  modelAliases?: ReadonlyMap<string, string>
  /** The id of the voice that speaks if a request names an unknown one. Default: none. */
  defaultVoice?: string
}

// Models trade quality for latency: a longer first phrase sounds better but starts later.
export const limitsOfModel: Readonly<Record<SpeechModelId, PhraseLimits>> = {
  'svc-tts-2': { firstCharacters: 48, laterCharacters: 80 },
  'svc-tts-1.5-max': { firstCharacters: 48, laterCharacters: 80 },
  'svc-tts-2-flash': { firstCharacters: 10, laterCharacters: 50 },
  'svc-tts-1.5-mini': { firstCharacters: 10, laterCharacters: 50 },
}

/** The words before a text may decide how its first words are read. */
const maxBeforeCharacters = 100

// With clones and further engines there can be hundreds; a few are enough to show what a voice id looks like.
const maxVoicesInMessage = 10

export interface SynthesisRequestOptions {
  maxTextCharacters: number
  /** The name of the text field of the endpoint, for error messages. Default `text`. */
  textField?: string
}

/**
 * Resolves a valid request into the voice, the model and the format that it names.
 * @throws {ServiceError} for invalid fields and for fields that the engine does not support: the service never ignores
 * a known part of a request, unless a warning says so.
 */
export function createSynthesisRequest(
  request: SpeechRequest,
  service: ServiceContext,
  { maxTextCharacters, textField = 'text' }: SynthesisRequestOptions,
): SynthesisRequest {
  const { text } = request
  if (text.length > maxTextCharacters) {
    const message = `${textField}: ${text.length} characters exceed the limit of ${maxTextCharacters} for this endpoint`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  return addText(resolveSettings(request, service), text, { textField })
}

/** Resolves the voice, the model and the format. @throws {ServiceError} as `createSynthesisRequest`. */
export function resolveSettings(
  request: Omit<SpeechRequest, 'text'>,
  service: ServiceContext,
): SynthesisSettings {
  const modelId = service.modelAliases?.get(request.modelId) ?? request.modelId
  const known = findModelId(modelId)
  const { voice, running } = findVoice(request, service)
  rejectUnsupportedFields(request, voice, running.engine, service.voiceList.list)
  const engineVoice = running.engine.voices.find(({ name }) => name === voice.engineVoice)
  const wantsWords = request.timestampType === 'WORD'
  const { timesWords } = running.engine
  return {
    modelId,
    voice,
    running,
    encoders: service.encoders,
    voiceList: service.voiceList,
    limits: engineVoice?.phraseLimits ?? limitsOfEngine(running.engine, known),
    language: readLanguage(request),
    layout: readLayout(request.audioConfig),
    prosody: readProsody({ ...request, modelId }),
    withWords: wantsWords && timesWords,
    lacksWordTimes: wantsWords && !timesWords,
    wordsLast: request.timestampTransportStrategy === 'ASYNC',
  }
}

/**
 * @param options.before the text of which this one is the continuation.
 * @throws {ServiceError} for markup that is not valid, and for a script that the voice cannot speak.
 */
export function addText(
  settings: SynthesisSettings,
  text: string,
  { textField = 'text', isPart = false, before = '' } = {},
): SynthesisRequest {
  const { running, voice } = settings
  const script = readScript(text, textField)
  const spoken = script.map((part) => ('text' in part ? part.text : '')).join(' ')
  const reason = running.engine.unsupportedReason(spoken, voice.engineVoice)
  if (reason) throw new ServiceError('INVALID_ARGUMENT', `${textField}: ${reason}`)
  const sentenceStart = [...sentenceEnds(before)].at(-1) ?? 0
  return {
    ...settings,
    text,
    script,
    isPart,
    before: before.slice(sentenceStart).trim(),
    warnings: findWarnings(spoken, settings),
  }
}

/** @returns the words before the next text: those before this one, and this one. */
export function addBefore(before: string, text: string): string {
  return `${before} ${text}`.slice(-maxBeforeCharacters).trim()
}

function readLanguage({ language }: Pick<SpeechRequest, 'language'>): string | undefined {
  return language && language.toUpperCase() !== 'AUTO' ? language : undefined
}

function limitsOfEngine(
  { phraseLimits, phraseLimitsOfModel = limitsOfModel }: Engine,
  modelId: SpeechModelId,
) {
  return phraseLimits ?? phraseLimitsOfModel[modelId]
}

function findModelId(modelId: string): SpeechModelId {
  const known = speechModelIds.find((id) => id === modelId)
  if (known) return known
  const message = `Unknown model: ${modelId}. This service has ${speechModelIds.join(', ')}`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function findVoice(
  { voiceId }: Pick<SpeechRequest, 'voiceId'>,
  { voiceList, engines, defaultVoice = '' }: ServiceContext,
): { voice: SpeakingVoice; running: RunningEngine } {
  const voice = voiceList.find(voiceId) ?? voiceList.find(defaultVoice)
  const running = voice && engines.get(voice.engine)
  if (running) return { voice, running }
  const ids = voiceList.list().map((known) => known.voiceId)
  const some = ids.slice(0, maxVoicesInMessage).join(', ')
  const more = ids.length > maxVoicesInMessage ? `, … ${ids.length} in all` : ''
  const problems = voiceList.problems.map((problem) => `. ${problem}`).join('')
  const message = `Unknown voice: ${voiceId}. This service has ${some}${more}${problems}`
  throw new ServiceError('NOT_FOUND', message)
}
