import type { Voice } from '@parlando/core'
import { lookUpLanguage } from '@parlando/core/text'

/** What decides which voice is the default one. */
export type ListedVoice = Pick<Voice, 'voiceId' | 'langCode' | 'promptLanguages'>

/**
 * The voice that speaks where none is chosen: the first that the service lists for the language, in the same region if there is
 * one. If no voice speaks the language, the first of all.
 */
export function defaultVoiceOf<Listed extends ListedVoice>(
  voices: readonly Listed[],
  language: string,
): Listed | undefined {
  const codesOf = ({ langCode, promptLanguages }: Listed) => [
    langCode ?? '',
    ...(promptLanguages ?? []),
  ]
  return lookUpLanguage(language, voices, codesOf) ?? voices[0]
}
