/** `en-US`, `en_us` and `EN_US` are the same language. */
function toLangCode(language: string): string {
  return language.toUpperCase().replaceAll('-', '_')
}

/** @param asked a language such as `en`, or one as spoken in a place, such as `EN_US`. */
export function isLanguage(langCode: string | null | undefined, asked: string): boolean {
  const spoken = toLangCode(langCode ?? '')
  const wanted = toLangCode(asked)
  return spoken === wanted || spoken.startsWith(`${wanted}_`)
}

/** @returns the language without its place: `en` of `EN_US`. */
export function languageOf(langCode: string): string {
  return toLangCode(langCode).split('_', 1)[0]!.toLowerCase()
}
