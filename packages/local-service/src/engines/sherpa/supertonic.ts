import { languageOf } from '@parlando/core/text'
import type { PhraseLimits } from '../../text/phrases.ts'

/** The languages of Supertonic 3, by the list in sherpa-onnx. The text carries the language, so all voices speak all. */
export const supertonicLanguages: readonly string[] =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(
    ' ',
  )

/**
 * Each call has a fixed cost, so the first phrase has 6 to 10 words instead of 3. A phrase cannot be cancelled while it is
 * spoken, so later ones are not as long as the model allows (300 characters).
 */
export const supertonicLimits: PhraseLimits = {
  minFirstCharacters: 30,
  firstCharacters: 56,
  laterCharacters: 120,
}

const languageOfScript: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u, 'ja'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  // Letters that Russian does not have.
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
]

const unknownScript =
  /[^\P{L}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]/u

/**
 * @param requested the language of the request, such as `de-DE`.
 * @param configured the language of the model's `parlando.json`, such as `DE_DE`.
 * @returns a language of the model. Without any, the script of the text decides; Latin letters count as English.
 */
export function supertonicLanguage(
  text: string,
  requested: string | undefined,
  configured: string,
): string {
  const named = [requested, configured].map((language) => languageOf(language ?? ''))
  const known = named.find((language) => supertonicLanguages.includes(language))
  return known ?? languageOfScript.find(([script]) => script.test(text))?.[1] ?? 'en'
}

/** @returns why Supertonic cannot speak the text. It would speak letters that it does not know as noise. */
export function supertonicUnsupportedReason(text: string): string | undefined {
  const [letter] = unknownScript.exec(text) ?? []
  return letter
    ? `Supertonic does not speak the script of the letter ${letter}; choose another voice`
    : undefined
}
