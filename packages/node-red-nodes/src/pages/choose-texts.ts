/**
 * The texts of a page in the first language of the browser that there is, or else in English.
 * @param all The texts by language, such as `de`.
 * @param languages Such as `de-AT`, the preferred one first.
 */
export function chooseTexts<Texts>(
  all: Readonly<Record<string, Texts>>,
  languages: readonly string[],
): { language: string; texts: Texts } {
  const short = languages.map((language) => language.slice(0, 2).toLowerCase())
  const language = short.find((language) => all[language]) ?? 'en'
  return { language, texts: all[language]! }
}
