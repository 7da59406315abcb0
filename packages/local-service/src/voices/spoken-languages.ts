import {
  includesLanguage,
  isLanguageCode,
  isSameLanguage,
  languageOf,
  lookUpLanguage,
} from '@parlando/core/text'
import type { Voice } from '@parlando/core/wire'
import type { EngineVoice } from '../engines/engine.ts'

const maxNamedVoices = 3

/** Whether the voice speaks a language of the range, such as `de` or `de-AT`. Some voices speak several languages. */
export function speaks(voice: Voice, range: string): boolean {
  return languagesOf(voice).some((code) => includesLanguage(range, code))
}

/**
 * Whether a voice of these languages speaks the given one. Only the language has to match, not the region: an American
 * voice also speaks British English. A voice whose languages are unknown may speak it.
 * @param spoken as of `languagesOfEngineVoice`.
 */
export function maySpeak(spoken: readonly string[], language: string): boolean {
  return spoken.some((code) => code === 'AUTO' || isSameLanguage(code, language))
}

/** Codes such as `EN_US`; `AUTO` if they are unknown. */
export function languagesOfEngineVoice({ langCode, languages }: EngineVoice): readonly string[] {
  return languages ?? [langCode]
}

/** @returns this voice if it speaks the language, or if its languages are unknown; otherwise another one that does. */
export function keepVoiceFor(
  language: string,
  voice: Voice | undefined,
  voices: readonly Voice[],
): Voice | undefined {
  const known = voice && languagesOf(voice).filter(isLanguageCode)
  if (known?.length === 0 || known?.some((code) => isSameLanguage(code, language))) return voice
  return findVoiceFor(language, voices)
}

/** @returns a voice for the range, or else for its language in another region. */
export function findVoiceFor(range: string, voices: readonly Voice[]): Voice | undefined {
  return lookUpLanguage(range, voices, languagesOf)
}

/** Continues an error: which voices speak the language, or how to add one. */
export function adviceForLanguage(language: string, voices: readonly Voice[]): string {
  if (!isLanguageCode(language)) return `${language} is not a language code such as de or en-GB`
  const name = languageName(language)
  const speaking = voices.filter((voice) =>
    languagesOf(voice).some((code) => isSameLanguage(code, language)),
  )
  const ids = speaking.slice(0, maxNamedVoices).map(({ voiceId }) => voiceId)
  if (ids.length > 0) return `these voices speak ${name}: ${ids.join(', ')}`
  return `no voice of this service speaks ${name}; to add one, choose "More voices and languages" in a form of Node-RED, or run: parlando-local voices add natural --lang ${languageOf(language)}`
}

function languagesOf({ langCode, promptLanguages }: Voice): readonly string[] {
  return [langCode ?? '', ...(promptLanguages ?? [])]
}

/** `German`; the code if it has no name. */
export function languageName(language: string): string {
  const code = languageOf(language)
  return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
}
