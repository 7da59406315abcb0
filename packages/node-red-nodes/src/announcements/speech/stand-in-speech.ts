import type { SpeechWarning } from '@parlando/core'
import { findStandIn } from '../../runtime/find-service.ts'
import { readSpeechRequest, type SpeechMessage } from '../../runtime/speech/speech-request.ts'
import { warningText } from '../../runtime/speech/speech-warnings.ts'
import type { SpeechService } from '../../runtime/speech-service.ts'
import { appendSpeech } from './append-speech.ts'
import type { SpeechJob } from './speech-job.ts'

/** The text is in another language than the voice speaks. */
class OtherLanguage extends Error {
  readonly language: string

  constructor(language: string) {
    super(language)
    this.language = language
  }
}

/**
 * Speaks a text with the service on this device, in the voice for its language: the one that the message, the speaker or the
 * form names, or else the one that its words show, or else that of Node-RED.
 * @param away The service that is away. Its list of words applies.
 * @returns the id of the voice.
 * @throws if it cannot. Nothing is heard then.
 */
export async function speakWithStandIn(
  away: Pick<SpeechService, 'respell'>,
  given: SpeechJob,
): Promise<string> {
  const { settings, options, wanted } = given
  const job = { ...given, options: { ...options, text: away.respell(options.text) } }
  const { language = wanted.language || settings.language } = (options.message.speechOptions ??
    {}) as { language?: unknown }
  if (language) return await speak(job, String(language))
  try {
    return await speak(job, undefined, ([other]) => {
      if (other) throw new OtherLanguage(other)
    })
  } catch (error) {
    if (!(error instanceof OtherLanguage)) throw error
    return await speak(job, error.language)
  }
}

/** @param check is called with the languages that the text seems to be in, if the voice does not speak it. */
async function speak(
  { RED, node, settings, options, wanted, sound, signal }: SpeechJob,
  language: string | undefined,
  check: (others: readonly string[]) => void = () => {},
): Promise<string> {
  const service = findStandIn(node)
  if (!service) throw new Error('There is no service on this device')
  const { text, message, onWarning } = options
  // Voice, model and options of another service mean nothing here.
  const plain = { _msgid: message._msgid } as SpeechMessage
  const form = { ...settings, voice: '', model: '', language: language ?? '' }
  const request = readSpeechRequest(RED, {
    text,
    form,
    message: plain,
    defaults: service.defaults,
  })
  const call = { signal, purpose: 'Speech' }
  const voiceId = await service.defaultVoiceId({ ...call, language })
  const audioConfig = { ...request.audioConfig, ...wanted.format } as typeof request.audioConfig
  const spoken = { ...request, voiceId, audioConfig }
  const target = {
    sound,
    call,
    options: { keep: message.keep !== false },
    check: (warnings: readonly SpeechWarning[]) => check(otherLanguages(warnings)),
  }
  const warning = warningText(RED, voiceId, await appendSpeech(service, spoken, target))
  if (warning) onWarning(warning)
  return voiceId
}

function otherLanguages(warnings: readonly SpeechWarning[]): string[] {
  return warnings.flatMap(({ code, language }) =>
    code === 'other-language' && language ? [language] : [],
  )
}
