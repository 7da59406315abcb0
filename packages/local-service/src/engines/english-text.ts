import { foreignScript, languageOf } from '@parlando/core/text'
import { findOtherLanguage } from '../text/other-language.ts'
import { numbersInWords } from '../text/spell-out/english/number-words.ts'
import { nameSigns } from '../text/spell-out/english/sign-names.ts'
import { spellEnglish } from '../text/spell-out/english/spell-english.ts'
import type { SpelledWord } from '../text/spell-out/word.ts'
import { type Engine, silentTextReason } from './engine.ts'

const plainForms: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟«»″]/g, '"'],
  [/[–—―]/g, ', '],
  [/…/g, '...'],
  [/ß/g, 'ss'],
  [/[æÆ]/g, 'ae'],
  [/[œŒ]/g, 'oe'],
  [/[øØ]/g, 'o'],
  [/[đĐðÐ]/g, 'd'],
  [/[łŁ]/g, 'l'],
  [/ı/g, 'i'],
  [/[þÞ]/g, 'th'],
]

/** Replaces characters with their names or the nearest ASCII characters, because the engines silently drop all others. */
export function plainText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.replace(/ {2,}/g, ' ').trim()
  let plain = nameSigns(text)
  for (const [form, replacement] of plainForms) plain = plain.replace(form, replacement)
  return plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Letters, digits and signs. Emoji, punctuation and accents are left out without a sound by every reader. */
const sounding = /[\p{L}\p{N}\p{Sm}\p{Sc}]/u

/** @returns the characters of the text that the English voices skip, although a reader would say them. */
export function skippedCharacters(text: string): readonly string[] {
  return findSkipped(text, plainText)
}

/** @returns why the English voices cannot speak the text, or `undefined` if they can speak a part. */
export function unsupportedReason(text: string): string | undefined {
  return findUnsupported(text, plainText, 'English')
}

/** @param toReadable leaves out the characters that the voice cannot say. */
export function findSkipped(text: string, toReadable: (text: string) => string): readonly string[] {
  const foreign = text.match(/[\u0080-\u{10ffff}]/gu) ?? []
  return [...new Set(foreign)].filter(
    (character) => sounding.test(character) && toReadable(character) === '',
  )
}

export function findUnsupported(
  text: string,
  toReadable: (text: string) => string,
  language: string,
): string | undefined {
  const reason = silentTextReason(toReadable(text))
  const [foreign] = reason ? findSkipped(text, toReadable) : []
  if (!foreign) return reason
  return `The voices of this device speak ${language} in Latin letters; they cannot say "${foreign}"`
}

/** Spells out a sentence in words that the built-in English voices can say. */
export function* spellOutEnglish(
  sentence: string,
  options: { dayFirst: boolean; before: string; letterA?: string },
): Generator<SpelledWord> {
  for (const word of spellEnglish(sentence, options)) {
    // The plain forms of "x²" and "①" have digits.
    const plain = plainText(word.spoken)
    yield { ...word, spoken: plain === word.spoken ? plain : numbersInWords(plain) }
  }
}

/**
 * Spells out the text for the English voices of an engine with many languages. Such voices know letters of other languages
 * and emoji, so both stay, and so does a sentence in another language. They pronounce "ay" like the word "I".
 * @param langCodeOf the language of a voice, such as `EN_GB` or `en-gb`.
 */
export function spellOutForEnglishVoices(
  langCodeOf: (voice: string, language?: string) => string | undefined,
): Required<Pick<Engine, 'spellOut' | 'spellsOut'>> {
  return {
    spellsOut: (voice, language) => languageOf(langCodeOf(voice, language) ?? '') === 'en',
    *spellOut(sentence, voice, before) {
      if (foreignScript(sentence, 'en') || findOtherLanguage(sentence)) {
        return yield* Array.from(sentence.matchAll(/\S+/g), ([written]) => ({
          written,
          spoken: written,
        }))
      }
      const dayFirst = /^en[_-](?!us)/i.test(langCodeOf(voice) ?? '')
      for (const word of spellEnglish(sentence, { dayFirst, before, letterA: 'eigh' })) {
        const named = nameSigns(word.spoken)
        const isSame = named === word.spoken
        yield isSame ? word : { ...word, spoken: numbersInWords(named.trim().replace(/\s+/g, ' ')) }
      }
    },
  }
}

export function wordsAsWritten(text: string): SpelledWord[] {
  return Array.from(text.matchAll(/\S+/g), ([written]) => ({ written, spoken: plainText(written) }))
}
