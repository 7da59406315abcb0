import { isLanguageCode } from '@parlando/core/text'

const languages = new Set(
  `en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te
  fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps
  tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su`.split(/\s+/),
)
// Whisper knows these languages by another name.
const aliases: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw' }

/**
 * @param language such as `de`.
 * @returns undefined for a language that Whisper does not know, because it would end its process.
 */
export function toWhisperLanguage(language: string): string | undefined {
  const name = aliases[language] ?? language
  return languages.has(name) ? name : undefined
}

/** BCP-47 has a code for a language that nobody knows. */
const unknownLanguage = 'und'
const englishNames = new Intl.DisplayNames('en', { type: 'language' })
const codesByName = new Map([
  ...Array.from(languages, (code) => [englishNames.of(code)!.toLowerCase(), code] as const),
  // Where Whisper has other names than Unicode.
  ['bengali', 'bn'],
  ['maori', 'mi'],
  ['myanmar', 'my'],
  ['nynorsk', 'nn'],
  ['tagalog', 'tl'],
])

/**
 * @param given the language that a recogniser has heard, as it names it: `de`, `de-DE`, `German` or `<|de|>`.
 * @returns its code, such as `de`; undefined if it names none.
 */
export function readHeardLanguage(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const name = given.trim().toLowerCase()
  const code = codesByName.get(name) ?? name.replace(/^<\|([a-z]+)\|>$/, '$1').replaceAll('_', '-')
  if (!isLanguageCode(code) || code === unknownLanguage) return undefined
  return Intl.getCanonicalLocales(code)[0]
}
