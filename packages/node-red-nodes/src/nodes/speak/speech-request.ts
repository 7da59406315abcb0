import type { AudioConfig, SpeechRequest } from '@parlando/core'
import { encodings, fitSampleRateHertz, speakableText } from '@parlando/core/audio'
import { audioEncodings } from '@parlando/core/wire'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { isPlainObject, readSetting, sourceOf } from '../../shared/setting.ts'
import type { SpeakMessage } from './speech-messages.ts'

/** What the form sets; a number may come as text from the form. */
export interface SpeakSettings {
  text: string
  textType: string
  /** Empty, as model and encoding can be too: the service's default. */
  voice: string
  model: string
  encoding: string
  sampleRate: string | number
  /** Takes signs of Markdown, addresses and emoji out of the text. Absent in flows of before. */
  clean?: boolean
  /** Asks for the time of each word. */
  timestamps?: boolean
  /** Empty: as the service has it. */
  speakingRate?: string | number
  language?: string
}

/** What holds where neither message nor form say anything. */
export interface SpeechDefaults {
  voiceId(): Promise<string>
  modelId: string
  audioEncoding: string
}

/**
 * Puts together what to speak: the message's own settings first, the form's where it has none.
 * @returns the request in an object: with fields from a message it could be taken for a promise, and be waited for.
 * @throws {NodeInputError} when the text is not text.
 */
export async function readSpeechRequest(
  RED: NodeAPI,
  node: Node,
  settings: SpeakSettings,
  message: SpeakMessage,
  service: SpeechDefaults,
  signal: AbortSignal,
): Promise<{ request: SpeechRequest & { audioConfig: AudioConfig } }> {
  const setting = { value: settings.text, type: settings.textType }
  const { value: text } = await readSetting(RED, node, setting, message, signal)
  const source = sourceOf(setting)
  if (text === undefined || text === null || text === '') {
    throw new NodeInputError(RED._('speak.error.no-text', { source }))
  }
  if (typeof text !== 'string') {
    const kind = Array.isArray(text) ? 'array' : Buffer.isBuffer(text) ? 'buffer' : typeof text
    throw new NodeInputError(RED._('speak.error.not-text', { source, kind }))
  }
  for (const property of ['audioConfig', 'speechOptions'] as const) {
    const value = message[property]
    if (value === undefined || isPlainObject(value)) continue
    throw new NodeInputError(RED._('speak.error.not-object', { property }))
  }
  const spoken = settings.clean ? speakableText(text) : text
  if (settings.clean && spoken === '') {
    throw new NodeInputError(RED._('speak.error.nothing-left', { source }))
  }
  const request: SpeechRequest & { audioConfig: AudioConfig } = {
    language: settings.language || undefined,
    timestampType: settings.timestamps ? 'WORD' : undefined,
    ...(message.speechOptions as Partial<SpeechRequest> | undefined),
    text: spoken,
    voiceId: (message.voiceId || trimmed(settings.voice) || (await service.voiceId())) as string,
    modelId: (message.modelId || trimmed(settings.model) || service.modelId) as string,
    audioConfig: fitRate(
      {
        audioEncoding: settings.encoding || service.audioEncoding,
        ...(settings.speakingRate && { speakingRate: Number(settings.speakingRate) }),
        ...(message.audioConfig as AudioConfig | undefined),
      },
      Number(settings.sampleRate),
    ),
  }
  return { request }
}

/** Pasted ids come with blanks. */
function trimmed(field: unknown): unknown {
  return typeof field === 'string' ? field.trim() : field
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
