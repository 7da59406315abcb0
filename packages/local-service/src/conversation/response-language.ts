import { isLanguageCode } from '@parlando/core/text'
import { languageName } from '../voices/spoken-languages.ts'
import { type Entry, spokenLanguage } from './conversation-items.ts'
import type { SessionParts } from './session-context.ts'

/** What depends on the language of a response. */
export interface ResponseLanguage {
  instructions: string
  voice: string
}

/**
 * Lets the model respond in the language that the user was heard to speak, by a voice that speaks it. Nothing changes if the client
 * has named the language of the user, the recogniser has not reported one, or no voice speaks it.
 * @param given those of the response. @param entries what the model reads.
 */
export function followUser(
  given: ResponseLanguage & { hasAudio: boolean },
  entries: readonly Entry[],
  { state, findVoiceFor }: SessionParts,
): ResponseLanguage {
  const named = state.settings.audio.input.transcription?.language ?? ''
  const language = isLanguageCode(named) ? undefined : spokenLanguage(entries)
  const voice = language && given.hasAudio ? findVoiceFor(language, given.voice) : given.voice
  if (!language || !voice) return given
  const name = languageName(language)
  const sentence = `The user speaks ${name}. Respond in ${name}, unless these instructions name another language.`
  return { instructions: [given.instructions, sentence].filter(Boolean).join('\n\n'), voice }
}
