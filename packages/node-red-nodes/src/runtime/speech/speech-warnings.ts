import type { SpeechWarning } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import { sharedText } from '../texts.ts'

/** The code of a warning that is not about how the text is spoken. */
const noWordTimes = 'no-word-times'

/** The warning for speech that was to have the times of its words, and has none. */
export const missingTimes: SpeechWarning = {
  code: noWordTimes,
  message: 'The voice does not report the times of words',
}

/** @returns the sentences for `msg.warning`, or `undefined` if there is no warning. */
export function warningText(
  RED: NodeAPI,
  voice: string,
  warnings: readonly SpeechWarning[],
): string | undefined {
  const sentences = warnings.map(({ code, message, characters = '', language = '' }) => {
    if (code === 'skipped-characters') {
      return sharedText(RED, 'speech-warning.skipped', { voice, characters })
    }
    if (code === noWordTimes) return sharedText(RED, 'speech-warning.no-word-times', { voice })
    if (code !== 'other-language') return message
    return sharedText(RED, 'speech-warning.language', { voice, language: nameOf(language) })
  })
  return sentences.length > 0 ? sentences.join('. ') : undefined
}

/** The name of a language, in the language of Node-RED; the code if it has no name. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}

/** The warnings about how a text is spoken, and not about the times of its words. */
export function warningsOfSound(warnings: readonly SpeechWarning[]): SpeechWarning[] {
  return warnings.filter(({ code }) => code !== noWordTimes)
}
