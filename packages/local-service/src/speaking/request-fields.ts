import { chooseFormat, encodings } from '@parlando/core/audio'
import { isLanguageCode } from '@parlando/core/text'
import type { AudioConfig, SpeechRequest, Voice } from '@parlando/core/wire'
import type { AudioLayout } from '../audio/encoding/encoder-types.ts'
import { maxMp3BitRate } from '../audio/encoding/mp3-encoder.ts'
import type { Engine } from '../engines/engine.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { SpeakingVoice } from '../voices/speaking-voice.ts'
import { adviceForLanguage, languagesOfEngineVoice, maySpeak } from '../voices/spoken-languages.ts'

/**
 * @param listVoices those of the service, for advice in an error: with clones and engines there can be thousands.
 * @throws {ServiceError} for the first field that requests something the service does not support.
 */
export function rejectUnsupportedFields(
  request: Omit<SpeechRequest, 'text'>,
  voice: SpeakingVoice,
  engine: Engine,
  listVoices: () => readonly Voice[],
): void {
  const error = errorForFields(request)
  if (error) throw new ServiceError('UNIMPLEMENTED', error)
  rejectLanguage(request.language, voice, engine, listVoices)
}

function errorForFields(request: Omit<SpeechRequest, 'text'>): string | undefined {
  if (request.instruction?.trim()) {
    return 'instruction: the voices of this device do not support style instructions; leave it out, or use deliveryMode and audioConfig.speakingRate'
  }
  if (request.enhanceGeneration) {
    return 'enhanceGeneration: true is not supported on this device; send false or leave it out'
  }
  if (request.enableCustomPronunciation || request.pronunciationDictionarySettings) {
    const field = request.enableCustomPronunciation
      ? 'enableCustomPronunciation'
      : 'pronunciationDictionarySettings'
    return `${field}: this device keeps no lists of pronunciations; leave it out, and write the words as they sound`
  }
  if (request.applyTextNormalization === 'OFF') {
    return 'applyTextNormalization: OFF is not supported, because the voices of this device always expand numbers and abbreviations; send ON or leave it out'
  }
  if (request.synthesisContext?.previousRequests.some(({ text }) => text.trim() !== '')) {
    return 'synthesisContext: the voices of this device speak each text independently and cannot continue earlier ones; leave it out'
  }
  if (request.timestampType === 'CHARACTER') {
    return 'timestampType: CHARACTER is not supported, because this device only has the times of words; send WORD or leave it out'
  }
  return undefined
}

function rejectLanguage(
  language: string | undefined,
  speaking: SpeakingVoice,
  engine: Engine,
  listVoices: () => readonly Voice[],
): void {
  if (!language || language.toUpperCase() === 'AUTO') return
  const { voiceId } = speaking.voice
  const spoken = spokenLanguages(speaking, engine)
  if (!isLanguageCode(language)) {
    const message = `language: ${language.slice(0, 40)} is not a language code; the voice ${voiceId} speaks ${spoken.join(', ')}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  if (maySpeak(spoken, language)) return
  const message = `language: the voice ${voiceId} speaks ${spoken.join(', ')}, not ${language}; ${adviceForLanguage(language, listVoices())}`
  throw new ServiceError('UNIMPLEMENTED', message)
}

/** The languages of the engine's voice. A clone that is spoken like its recording has one language: that of the recording. */
export function spokenLanguages(
  { voice, engineVoice, recording, imprint }: SpeakingVoice,
  engine: Engine,
): readonly string[] {
  if (recording && !imprint && voice.langCode) return [voice.langCode]
  const found = engine.voices.find(({ name }) => name === engineVoice)
  return found ? languagesOfEngineVoice(found) : ['AUTO']
}

const defaultBitRate = 128_000
const maxOpusBitRate = 192_000

/** @throws {ServiceError} for a sample rate or a bit rate that the encoding does not support. */
export function readLayout(audioConfig: AudioConfig | undefined): AudioLayout {
  const { audioEncoding, sampleRateHertz } = chooseFormat(audioConfig)
  const rates = encodings[audioEncoding].sampleRatesHertz
  if (!rates.includes(sampleRateHertz)) {
    const message = `audioConfig.sampleRateHertz: ${audioEncoding} does not support ${sampleRateHertz} Hz; it supports ${rates.join(', ')}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const layout = { audioEncoding, sampleRateHertz, bitRate: audioConfig?.bitRate ?? defaultBitRate }
  if (audioConfig?.bitRate !== undefined) rejectBitRate(layout)
  return layout
}

function rejectBitRate({ audioEncoding, sampleRateHertz, bitRate }: AudioLayout): void {
  const isMp3 = audioEncoding === 'MP3'
  if (!isMp3 && audioEncoding !== 'OGG_OPUS') {
    const message = `audioConfig.bitRate: only MP3 and OGG_OPUS have a bit rate, ${audioEncoding} does not; leave it out`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const max = isMp3 ? maxMp3BitRate(sampleRateHertz) : maxOpusBitRate
  if (bitRate <= max) return
  const message = `audioConfig.bitRate: ${bitRate} exceeds the maximum of ${audioEncoding} at ${sampleRateHertz} Hz, ${max} bits per second`
  throw new ServiceError('INVALID_ARGUMENT', message)
}
