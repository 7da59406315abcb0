import type { Pronunciation } from '@parlando/core/text'
import { trimmedText } from '../saved-settings.ts'

/** Those of the client and of the local service. */
export const pronunciationLimits = {
  maxEntries: 1000,
  maxWordCharacters: 128,
  maxSayAsCharacters: 200,
} as const

/** The complete entries of a form. A hand-written flow may contain anything. */
export function readPronunciations(saved: unknown): Pronunciation[] {
  const { maxEntries, maxWordCharacters, maxSayAsCharacters } = pronunciationLimits
  return (Array.isArray(saved) ? saved : [])
    .map((entry) => ({ word: trimmedText(entry?.word), sayAs: trimmedText(entry?.sayAs) }))
    .filter(({ word, sayAs }) => word !== '' && sayAs !== '')
    .filter(({ word, sayAs }) => {
      return word.length <= maxWordCharacters && sayAs.length <= maxSayAsCharacters
    })
    .slice(0, maxEntries)
}

/** Whether a word is in phonetic writing, such as `/wɪn/`, which the voices of this device cannot read. */
export function isPhonetic(sayAs: string): boolean {
  return sayAs.split(/\s/).some((word) => word.length > 2 && /^\/.*\/$/.test(word))
}
