import type { AudioConfig, SpeechRequest } from '@parlando/core'
import { encodings, fitSampleRateHertz } from '@parlando/core/audio'
import { audioEncodings } from '@parlando/core/wire'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { ServiceDefaults } from '../../shared/service-node.ts'
import { isPlainObject, trimmed, withoutEmpty } from '../../shared/setting.ts'
import type { SpeakMessage } from './speech-messages.ts'

/** What the form sets about the sound; a number may come as text from the form. */
export interface SpeechSettings {
  /** Empty, as model and encoding can be too: the service's default. */
  voice: string
  model: string
  encoding: string
  sampleRate: string | number
  /** Asks for the time of each word. */
  timestamps?: boolean
  /** Empty: as the service has it. */
  speakingRate?: string | number
  language?: string
}

const examples = {
  audioConfig: '{ "audioEncoding": "WAV" }',
  speechOptions: '{ "language": "en-US" }',
}

/** What holds where neither message nor form say anything. */
export interface SpeechDefaults extends ServiceDefaults {
  voiceId(): Promise<string>
}

/**
 * Puts together what to ask for: the message's own settings first, the form's where it has none.
 * @returns the request in an object: with fields from a message it could be taken for a promise, and be waited for.
 * @throws {NodeInputError} when options of the message are none.
 */
export async function readSpeechRequest(
  RED: NodeAPI,
  text: string,
  settings: SpeechSettings,
  message: SpeakMessage,
  service: SpeechDefaults,
): Promise<{ request: SpeechRequest & { audioConfig: AudioConfig } }> {
  const readOptions = (property: 'audioConfig' | 'speechOptions'): object => {
    const options = message[property] ?? {}
    if (isPlainObject(options)) return withoutEmpty(options)
    const example = examples[property]
    throw new NodeInputError(RED._('speak.error.not-object', { property, example }))
  }
  const speechOptions: Partial<SpeechRequest> = readOptions('speechOptions')
  const audioConfig: Partial<AudioConfig> = readOptions('audioConfig')
  const request: SpeechRequest & { audioConfig: AudioConfig } = {
    language: settings.language || undefined,
    timestampType: settings.timestamps ? 'WORD' : undefined,
    ...speechOptions,
    text,
    voiceId: (message.voiceId || trimmed(settings.voice) || (await service.voiceId())) as string,
    modelId: (message.modelId || trimmed(settings.model) || service.modelId) as string,
    audioConfig: fitRate(
      {
        audioEncoding: settings.encoding || service.audioEncoding,
        ...(settings.speakingRate && { speakingRate: Number(settings.speakingRate) }),
        ...audioConfig,
      },
      Number(settings.sampleRate),
    ),
  }
  return { request }
}

/** The form's rate holds where the message names none, and only as far as the encoding can carry it. */
function fitRate(config: object, formRateHertz: number): AudioConfig {
  const { audioEncoding, sampleRateHertz } = config as AudioConfig
  // What is no encoding is refused by the client.
  if (sampleRateHertz !== undefined || !audioEncodings.includes(audioEncoding!)) return config
  const { sampleRatesHertz } = encodings[audioEncoding!]
  const fitting = fitSampleRateHertz(sampleRatesHertz, formRateHertz)
  return { ...config, sampleRateHertz: fitting as AudioConfig['sampleRateHertz'] }
}
