import { isLanguageCode, isSameLanguage } from '@parlando/core/text'
import type { SpeechRequest, Voice } from '@parlando/core/wire'
import type { Engine } from '../engines/engine.ts'
import { ServiceError } from '../errors.ts'
import { adviceForLanguage } from '../voices/spoken-languages.ts'
import type { SpeakingVoice } from '../voices/voice.ts'

/**
 * @param voices those of the service, for advice.
 * @throws {ServiceError} for the first field that requests something the service does not support.
 */
export function rejectUnsupportedFields(
  request: Omit<SpeechRequest, 'text'>,
  voice: SpeakingVoice,
  engine: Engine,
  voices: readonly Voice[],
): void {
  const error = errorForFields(request) ?? errorForTimes(request, engine)
  if (error) throw new ServiceError('UNIMPLEMENTED', error)
  rejectLanguage(request.language, voice, engine, voices)
}

function errorForFields(request: Omit<SpeechRequest, 'text'>): string | undefined {
  if (request.instruction?.trim()) {
    return 'instruction: the voices of this device do not support style instructions; leave it out, or use deliveryMode and audioConfig.speakingRate'
  }
  if (request.enhanceGeneration) {
    return 'enhanceGeneration: true is not supported on this device; send false or leave it out'
  }
  if (request.applyTextNormalization === 'OFF') {
    return 'applyTextNormalization: OFF is not supported, because the voices of this device always expand numbers and abbreviations; send ON or leave it out'
  }
  if (request.synthesisContext?.previousRequests.some(({ text }) => text.trim() !== '')) {
    return 'synthesisContext: the voices of this device speak each text independently and cannot continue earlier ones; leave it out'
  }
  return undefined
}

function errorForTimes(
  { timestampType }: Pick<SpeechRequest, 'timestampType'>,
  engine: Engine,
): string | undefined {
  if (timestampType === 'CHARACTER') {
    return 'timestampType: CHARACTER is not supported, because this device only has the times of words; send WORD or leave it out'
  }
  if (timestampType === 'WORD' && !engine.timesWords) {
    return `timestampType: WORD is not supported, because the engine ${engine.name} does not report the times of words; choose a voice of another engine or leave it out`
  }
  return undefined
}

/** Only the language has to match, not the region: an American voice also speaks British English. */
function rejectLanguage(
  language: string | undefined,
  { voice, engineVoice }: SpeakingVoice,
  engine: Engine,
  voices: readonly Voice[],
): void {
  if (!language || language.toUpperCase() === 'AUTO') return
  const { langCode = 'AUTO', languages } =
    engine.voices.find(({ name }) => name === engineVoice) ?? {}
  const spoken = languages?.join(', ') ?? langCode
  if (!isLanguageCode(language)) {
    const message = `language: ${language.slice(0, 40)} is not a language code; the voice ${voice.voiceId} speaks ${spoken}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  // A voice with an unknown language may speak the requested one.
  if (spoken === 'AUTO') return
  if ((languages ?? [langCode]).some((each) => isSameLanguage(each, language))) return
  const message = `language: the voice ${voice.voiceId} speaks ${spoken}, not ${language}; ${adviceForLanguage(language, voices)}`
  throw new ServiceError('UNIMPLEMENTED', message)
}
