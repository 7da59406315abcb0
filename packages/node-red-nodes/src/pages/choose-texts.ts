import { languageOf } from '@parlando/core/text'

/**
 * The texts of a page in the first language of the browser that there is, or else in English.
 * @param all The texts by language, such as `de`.
 * @param languages Such as `de-AT`, the preferred one first.
 */
export function chooseTexts<Texts>(
  all: Readonly<Record<string, Texts>>,
  languages: readonly string[],
): { language: string; texts: Texts } {
  const known = Object.keys(all)
  const language = languages.map(languageOf).find((each) => known.includes(each)) ?? 'en'
  return { language, texts: all[language]! }
}
