import type { RealtimeSession } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import type { WorkTools } from '../../runtime/work.ts'
import type { ConverseMessage } from './conversation-messages.ts'
import { sessionRateHertz } from './session-rate.ts'

/** What a voice says while a tool works, in the language of the conversation. */
const words: Readonly<Record<string, string>> = {
  de: 'Einen Moment.',
  en: 'One moment.',
  es: 'Un momento.',
  fr: 'Un instant.',
  ja: '少々お待ちください。',
  zh: '请稍等。',
}

/** @returns a function that speaks the word with the voice of the conversation. PCM at the rate of the session. */
export function createWordSpeaker(
  RED: NodeAPI,
  session: RealtimeSession,
  { service }: Pick<WorkTools<ConverseMessage>, 'service'>,
) {
  const { input, output } = session.audio ?? {}
  const language = input?.transcription?.language ?? nodeRedLanguage(RED)
  const text = words[language.slice(0, 2).toLowerCase()] ?? words['en']!
  return async (signal: AbortSignal): Promise<Uint8Array> => {
    const voice = output?.voice
    const voiceId =
      typeof voice === 'string' ? voice : await service.defaultVoiceId({ signal, language })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: sessionRateHertz } as const
    const { modelId } = service.defaults
    const speech = await service.speak({ text, voiceId, modelId, audioConfig }, { signal })
    const chunks: Uint8Array[] = []
    for await (const { audio } of speech) chunks.push(audio)
    return Buffer.concat(chunks)
  }
}
