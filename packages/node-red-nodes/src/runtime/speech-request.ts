import { isDate } from 'node:util/types'
import type { AudioConfig, CallOptions, SpeechRequest, SpeechWarning } from '@parlando/core'
import {
  type AudioEncoding,
  audioEncodings,
  encodings,
  fitSampleRateHertz,
} from '@parlando/core/audio'
import { ParlandoError } from '@parlando/core/errors'
import { hasSpeakable, speakableText } from '@parlando/core/text'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from './failure.ts'
import type { ServiceDefaults, SpeechService } from './find-service.ts'
import {
  isPlainObject,
  type MessageContext,
  readSettings,
  readTypedInput,
  sourceOf,
  typedInputOrPayload,
  withoutEmpty,
} from './settings.ts'
import { sharedText } from './texts.ts'

/** The properties that override the form for one message. */
export interface SpeechMessage extends NodeMessageInFlow {
  voiceId?: unknown
  modelId?: unknown
  audioConfig?: unknown
  /** Further fields of the request, such as `language` or `instruction`. */
  speechOptions?: unknown
  /** `false`: the text is spoken anew, and its sound is not kept. */
  keep?: unknown
}

/** Settings of the form. A hand-written flow may leave each out; empty means: the setting of the service. */
export interface SpeechSettings {
  text?: string
  textType?: string
  /** Removes Markdown, addresses and emoji from the text. */
  clean?: boolean
  voice?: string
  model?: string
  encoding?: string
  sampleRate?: string | number
  speakingRate?: string | number
  language?: string
  /** Requests the time of each word. */
  timestamps?: boolean
  /** Captions also need it. */
  captions?: boolean
}

const settingTable = {
  voiceId: { message: 'voiceId', form: 'voice' },
  modelId: { message: 'modelId', form: 'model' },
  language: { form: 'language' },
  audioEncoding: { form: 'encoding' },
  sampleRateHertz: { form: 'sampleRate', isNumber: true },
  speakingRate: { form: 'speakingRate', isNumber: true },
  timestamps: { form: 'timestamps' },
  captions: { form: 'captions' },
} as const

const examples = {
  audioConfig: '{ "audioEncoding": "WAV" }',
  speechOptions: '{ "language": "en-US" }',
}

/**
 * Reads the text to speak: a string, number, boolean or date.
 * @returns An empty text where a part of a sequence has nothing to say: the sequence still needs a message for each part.
 * @throws {NodeInputError} when the value cannot be spoken, or a message outside a sequence has nothing to say.
 */
export async function readSpeechText(
  context: MessageContext<SpeechMessage>,
  settings: SpeechSettings,
): Promise<string> {
  const { RED, message } = context
  const input = typedInputOrPayload(settings.text, settings.textType)
  const { value } = await readTypedInput(context, input)
  const source = sourceOf(input)
  if (value === undefined || value === null) {
    throw new NodeInputError(sharedText(RED, 'error.no-text', { source }))
  }
  const text = spokenForm(value, settings.language)
  if (text === undefined) {
    const kind = Array.isArray(value) ? 'array' : Buffer.isBuffer(value) ? 'buffer' : 'object'
    throw new NodeInputError(sharedText(RED, `error.not-text.${kind}`, { source }))
  }
  const spoken = settings.clean ? withoutBarePunctuation(speakableText(text)) : text
  if (spoken.trim() !== '') return spoken
  if (message.parts) return ''
  const error = text.trim() === '' ? 'no-text' : 'nothing-left'
  throw new NodeInputError(sharedText(RED, `error.${error}`, { source }))
}

/** The text of a value that can be spoken. A date of a function node has another prototype. */
function spokenForm(value: unknown, language: unknown): string | undefined {
  if (isDate(value)) return Number.isNaN(value.getTime()) ? undefined : dateText(value, language)
  const isSpoken = ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
  return isSpoken ? String(value) : undefined
}

/** Day and time in the time zone of Node-RED. Without a valid language in English, which the voices of this device speak. */
function dateText(date: Date, language: unknown): string {
  const style = { dateStyle: 'long', timeStyle: 'short' } as const
  try {
    return date.toLocaleString(String(language || 'en-US'), style)
  } catch {
    return date.toLocaleString('en-US', style)
  }
}

/** Cleaning a line that was only an emoji or a URL may leave a full stop. */
function withoutBarePunctuation(text: string): string {
  return hasSpeakable(text) ? text : ''
}

/** A request whose voice may still be missing: the service knows its default voice. */
type NodeSpeechRequest = Omit<SpeechRequest, 'voiceId' | 'modelId'> & {
  voiceId?: string
  modelId: string
  audioConfig: AudioConfig
}

/** What a request for speech is made of. */
export interface SpeechSources {
  text: string
  form: SpeechSettings
  message: SpeechMessage
  /** Of the service. */
  defaults: ServiceDefaults
}

/**
 * Builds the request. The message overrides the form, the form overrides the service.
 * @throws {NodeInputError} when `msg.audioConfig` or `msg.speechOptions` is not an object.
 */
export function readSpeechRequest(
  RED: NodeAPI,
  { text, form, message, defaults }: SpeechSources,
): NodeSpeechRequest {
  const readOptions = (property: 'audioConfig' | 'speechOptions'): object => {
    const options = message[property] ?? {}
    if (isPlainObject(options)) return withoutEmpty(options)
    const example = examples[property]
    throw new NodeInputError(sharedText(RED, 'error.not-object', { property, example }))
  }
  const { voiceId, modelId, language, audioEncoding, sampleRateHertz, speakingRate, ...times } =
    readSettings(message, form, settingTable)
  const audioConfig = {
    audioEncoding: audioEncoding ?? defaults.audioEncoding,
    speakingRate,
    ...readOptions('audioConfig'),
  } as AudioConfig
  return {
    language,
    timestampType: times.timestamps || times.captions ? 'WORD' : undefined,
    ...readOptions('speechOptions'),
    text,
    voiceId,
    modelId: modelId ?? defaults.modelId,
    audioConfig: fitRate(audioConfig, sampleRateHertz),
  } as NodeSpeechRequest
}

/** Adds the sample rate of the form where the message has none, adapted to the rates that the encoding supports. */
function fitRate(config: AudioConfig, formRateHertz = Number.NaN): AudioConfig {
  const { sampleRateHertz } = config
  const audioEncoding = String(config.audioEncoding).toUpperCase() as AudioEncoding
  // The client rejects an unknown encoding.
  if (sampleRateHertz !== undefined || !audioEncodings.includes(audioEncoding)) return config
  const { sampleRatesHertz } = encodings[audioEncoding]
  const fitting = fitSampleRateHertz(sampleRatesHertz, formRateHertz)
  return { ...config, sampleRateHertz: fitting as AudioConfig['sampleRateHertz'] }
}

/**
 * The voice for a request that names none: the default voice for its language.
 * @throws {ParlandoError} whose message says that speech failed: the list of voices is only a step.
 */
export async function defaultVoice(
  RED: NodeAPI,
  service: SpeechService,
  { language }: Pick<SpeechRequest, 'language'>,
  call: CallOptions & { signal: AbortSignal },
): Promise<string> {
  try {
    // The person asked for speech; the list of voices is only a step.
    return await service.defaultVoiceId({ ...call, language, purpose: 'Speech' })
  } catch (error) {
    if (ParlandoError.isInstance(error) && error.code === 'PERMISSION_DENIED') {
      error.message = sharedText(RED, 'error.no-voice-list')
    }
    throw error
  }
}

/** @returns the sentences for `msg.warning`, or `undefined` if there is no warning. */
export function warningText(
  RED: NodeAPI,
  voice: string,
  warnings: readonly SpeechWarning[],
): string | undefined {
  const sentences = warnings.map(({ code, message, characters = '', language = '' }) => {
    if (code === 'skipped-characters') {
      return sharedText(RED, 'speech-warning.skipped', { voice, characters })
    }
    if (code !== 'other-language') return message
    return sharedText(RED, 'speech-warning.language', { voice, language: nameOf(language) })
  })
  return sentences.length > 0 ? sentences.join('. ') : undefined
}

/** In the language of Node-RED; the code if it has no name. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
