import type { Voice } from '@parlando/core/wire'

/** `en-US`, `en_us` and `EN_US` are the same language. */
function toLangCode(language: string): string {
  return language.toUpperCase().replaceAll('-', '_')
}

/** @param wanted a language such as `en`, or a language and a region such as `EN_US`. */
export function isLanguage(langCode: string | null | undefined, wanted: string): boolean {
  const spoken = toLangCode(langCode ?? '')
  const code = toLangCode(wanted)
  return spoken === code || spoken.startsWith(`${code}_`)
}

/** @returns whether the voice speaks the language: some voices speak several. */
export function speaks({ langCode, promptLanguages }: Voice, language: string): boolean {
  return [langCode, ...(promptLanguages ?? [])].some((code) => isLanguage(code, language))
}

/** @returns the language without its region: `en` for `EN_US`. */
export function languageOf(langCode: string): string {
  return toLangCode(langCode).split('_', 1)[0]!.toLowerCase()
}
