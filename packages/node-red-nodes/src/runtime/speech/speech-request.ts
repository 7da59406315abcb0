import type { AudioConfig, CallOptions, SpeechRequest } from '@parlando/core'
import {
  type AudioEncoding,
  audioEncodings,
  encodings,
  fitSampleRateHertz,
} from '@parlando/core/audio'
import { ParlandoError } from '@parlando/core/errors'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from '../failure.ts'
import { isEmpty, isPlainObject, readSettings, withoutEmpty } from '../settings.ts'
import type { ServiceDefaults, SpeechService } from '../speech-service.ts'
import { sharedText } from '../texts.ts'

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

/** A request whose voice may still be missing: the service knows its default voice. */
type NodeSpeechRequest = Omit<SpeechRequest, 'voiceId' | 'modelId'> & {
  voiceId?: string
  modelId: string
  audioConfig: AudioConfig
}

/** A request that names everything that the facts of a message mention. */
export type CompleteSpeechRequest = NodeSpeechRequest & { voiceId: string }

/** What a request for speech is made of. */
export interface SpeechSources {
  text: string
  form: SpeechSettings
  message: SpeechMessage
  /** The settings of the service. */
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
    const options = isEmpty(message[property]) ? {} : message[property]
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
    return await service.defaultVoiceId({ ...call, language, purpose: 'Speech' })
  } catch (error) {
    if (ParlandoError.isInstance(error) && error.code === 'PERMISSION_DENIED') {
      error.message = sharedText(RED, 'error.no-voice-list')
    }
    throw error
  }
}
