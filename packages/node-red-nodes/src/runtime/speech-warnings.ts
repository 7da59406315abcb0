import type { SpeechWarning } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import { sharedText } from './texts.ts'

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
    if (code !== 'other-language') return message
    return sharedText(RED, 'speech-warning.language', { voice, language: nameOf(language) })
  })
  return sentences.length > 0 ? sentences.join('. ') : undefined
}

/** In the language of Node-RED; the code if it has no name. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
