import { hasSeveralWords, isLanguageCode } from '@parlando/core/text'
import { languageName } from '../../voices/spoken-languages.ts'
import type { Entry } from '../conversation-items.ts'
import type { SessionParts } from '../session-parts.ts'

/** What depends on the language of a response. */
interface ResponseLanguage {
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

/**
 * The language in which the user has spoken last. A single word does not say which one it is.
 * @returns undefined if it is not known, or if the user has written meanwhile.
 */
function spokenLanguage(entries: readonly Entry[]): string | undefined {
  return entries.findLast(decidesLanguage)?.language
}

/** Whether the user speaks in several words, or writes. */
function decidesLanguage({ item, transcript }: Entry): boolean {
  if (item.role !== 'user') return false
  return transcript === undefined || hasSeveralWords(transcript)
}
