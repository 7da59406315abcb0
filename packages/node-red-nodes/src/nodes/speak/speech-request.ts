import type { AudioConfig, SpeechRequest } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { readSetting } from '../../shared/setting.ts'
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
}

/** What holds where neither message nor form say anything. */
export interface SpeechDefaults {
  voiceId(): Promise<string>
  modelId: string
  audioEncoding: string
}

/**
 * Puts together what to speak: the message's own settings first, the form's where it has none.
 * @throws {NodeInputError} when the text is not text.
 */
export async function readSpeechRequest(
  RED: NodeAPI,
  node: Node,
  settings: SpeakSettings,
  message: SpeakMessage,
  service: SpeechDefaults,
): Promise<SpeechRequest & { audioConfig: AudioConfig }> {
  const setting = { value: settings.text, type: settings.textType }
  const text = await readSetting(RED, node, setting, message)
  const source = `${settings.textType}.${settings.text}`
  if (text === undefined || text === null || text === '') {
    throw new NodeInputError(RED._('speak.error.no-text', { source }))
  }
  if (typeof text !== 'string') {
    const kind = Array.isArray(text) ? 'array' : Buffer.isBuffer(text) ? 'buffer' : typeof text
    throw new NodeInputError(RED._('speak.error.not-text', { source, kind }))
  }
  if (message.audioConfig !== undefined && !isPlainObject(message.audioConfig)) {
    throw new NodeInputError(RED._('speak.error.audio-config'))
  }
  return {
    text,
    voiceId: (message.voiceId || settings.voice || (await service.voiceId())) as string,
    modelId: (message.modelId || settings.model || service.modelId) as string,
    audioConfig: {
      audioEncoding: (settings.encoding || service.audioEncoding) as AudioConfig['audioEncoding'],
      sampleRateHertz: Number(settings.sampleRate) as AudioConfig['sampleRateHertz'],
      ...(message.audioConfig as AudioConfig | undefined),
    },
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
