import type { SpeechRequest } from '@parlando/core/wire'
import type { Engine } from '../engines/engine.ts'
import { ServiceError } from '../errors.ts'
import type { SpeakingVoice } from '../voices/voice.ts'

/** @throws {ServiceError} for the first field that asks for what cannot be done. */
export function rejectUnsupportedFields(
  request: SpeechRequest,
  voice: SpeakingVoice,
  engine: Engine,
): void {
  const error = errorForFields(request) ?? errorForTimes(request, engine)
  if (error) throw new ServiceError('UNIMPLEMENTED', error)
  rejectLanguage(request.language, voice, engine)
}

function errorForFields(request: SpeechRequest): string | undefined {
  if (request.instruction?.trim()) {
    return 'instruction: the voices of this device cannot follow a note on style; leave it out, or use deliveryMode and audioConfig.speakingRate'
  }
  if (request.enhanceGeneration) {
    return 'enhanceGeneration: true is not possible, because nothing on this device cleans up speech; send false or leave it out'
  }
  if (request.applyTextNormalization === 'OFF') {
    return 'applyTextNormalization: OFF is not possible, because the voices of this device always speak numbers and abbreviations as words; send ON or leave it out'
  }
  if (request.synthesisContext?.previousRequests.some(({ text }) => text.trim() !== '')) {
    return 'synthesisContext: the voices of this device speak each text by itself and cannot continue earlier ones; leave it out'
  }
  return undefined
}

function errorForTimes({ timestampType }: SpeechRequest, engine: Engine): string | undefined {
  if (timestampType === 'CHARACTER') {
    return 'timestampType: CHARACTER is not possible, because this device knows the times of words alone; send WORD or leave it out'
  }
  if (timestampType === 'WORD' && !engine.timesWords) {
    return `timestampType: WORD is not possible, because the engine ${engine.name} does not tell when its words are spoken; choose a voice of another engine or leave it out`
  }
  return undefined
}

/** Regions are not told apart: a text in British English is spoken by an American voice as well as it can. */
function rejectLanguage(
  language: string | undefined,
  { voice, engineVoice }: SpeakingVoice,
  engine: Engine,
): void {
  if (!language || language.toUpperCase() === 'AUTO') return
  const spoken = engine.voices.find(({ name }) => name === engineVoice)?.langCode ?? 'AUTO'
  if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(language)) {
    const message = `language: ${language.slice(0, 40)} is not the code of a language; the voice ${voice.voiceId} speaks ${spoken}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  // Where it is not known what the voice speaks, it may well be this.
  if (spoken === 'AUTO' || primary(language) === primary(spoken)) return
  const message = `language: the voice ${voice.voiceId} speaks ${spoken}, not ${language}; leave the language out or choose another voice`
  throw new ServiceError('UNIMPLEMENTED', message)
}

function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? ''
}
