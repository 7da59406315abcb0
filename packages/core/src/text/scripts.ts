import { isLanguageCode, languageOf } from './languages.ts'

const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const chineseOrJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a text contains a script that puts no spaces between words: Chinese, Japanese, Thai, Lao, Khmer or Burmese. */
export function hasUnspacedScript(text: string): boolean {
  return unspacedScript.test(text)
}

/** Whether a text contains Chinese or Japanese, whose sentences follow each other without a space. */
export function hasChineseOrJapanese(text: string): boolean {
  return chineseOrJapanese.test(text)
}

/** The languages that use each script. Latin is missing: voices of other languages often read it too. */
const languagesByScript: Readonly<Record<string, string>> = {
  Arabic: 'ar arz ckb fa ku pa ps sd ug ur',
  Armenian: 'hy',
  Bengali: 'as bn',
  Cyrillic: 'az ba be bg cv kk ky mk mn ru sr tg tt uk uz',
  Devanagari: 'hi mr ne sa',
  Ethiopic: 'am ti',
  Georgian: 'ka',
  Greek: 'el',
  Gujarati: 'gu',
  Gurmukhi: 'pa',
  Han: 'ja wuu yue zh',
  Hangul: 'ko',
  Hebrew: 'he yi',
  Hiragana: 'ja',
  Kannada: 'kn',
  Katakana: 'ja',
  Khmer: 'km',
  Lao: 'lo',
  Malayalam: 'ml',
  Myanmar: 'my',
  Sinhala: 'si',
  Tamil: 'ta',
  Telugu: 'te',
  Thai: 'th',
}

const scripts = Object.entries(languagesByScript).map(([script, languages]) => ({
  script,
  languages: languages.split(' '),
  pattern: new RegExp(`\\p{Script=${script}}`, 'gu'),
}))

// The beginning of a long text is enough to decide.
const maxExaminedCharacters = 2000

/**
 * Finds the script of a text that is mostly in scripts which a language does not use, such as `Cyrillic` for English. A few
 * foreign letters in a text do not count.
 * @param language A code such as `EN_US` or `en-US`. Every text suits another value, such as `AUTO`.
 */
export function foreignScript(text: string, language: string): string | undefined {
  if (!isLanguageCode(language)) return undefined
  const code = languageOf(language)
  const examined = text.slice(0, maxExaminedCharacters)
  const counts = scripts
    .filter(({ languages }) => !languages.includes(code))
    .map(({ script, pattern }) => ({ script, letters: countOf(examined, pattern) }))
    .sort((one, other) => other.letters - one.letters)
  const foreignLetters = counts.reduce((sum, { letters }) => sum + letters, 0)
  const isMostlyForeign = foreignLetters > countOf(examined, /\p{Letter}/gu) / 2
  return isMostlyForeign ? counts[0]?.script : undefined
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
