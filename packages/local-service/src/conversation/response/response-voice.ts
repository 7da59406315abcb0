import { pronounce } from '@parlando/core/text'
import type { SessionParts } from '../session-parts.ts'
import type { SpeechOutput } from '../session-settings.ts'
import type { Speak } from './respond-in-speech.ts'

/** The voice of one response. It changes if the user turns out to have spoken another language. */
export interface ResponseVoice {
  /** The settings of its speech so far, for the events of the response. */
  readonly settings: SpeechOutput
  /** Speaks a text with the pronunciations of the session. */
  speak: Speak
  /** Replaces the voice for the texts that follow. @throws {ServiceError} if the service cannot speak with it. */
  change(voice: string): void
}

/** @throws {ServiceError} if the voice is unknown, or the service cannot speak with these settings. */
export function createResponseVoice(
  given: SpeechOutput,
  { state, findVoice, createSpeak }: SessionParts,
): ResponseVoice {
  const { pronunciations } = state
  const { language } = state.settings.audio.input.transcription ?? {}
  let settings = { ...given, voice: findVoice(given.voice, language) }
  let speak = createSpeak(settings)
  return {
    get settings() {
      return settings
    },
    speak: (text, signal) => speak(pronounce(pronunciations, text), signal),
    change(voice) {
      if (voice === settings.voice) return
      settings = { ...settings, voice }
      speak = createSpeak(settings)
    },
  }
}
