/**
 * Language codes are BCP-47 tags in any spelling: `en-US`, `en_us` and `EN_US` are the same. They are compared by the rules
 * of RFC 4647, after the likely script and region of each tag are filled in (`zh-TW` is written in `Hant`).
 */

interface Language {
  language: string
  script: string | undefined
  region: string | undefined
}

const wellFormed = /^[a-z]{2,3}([-_][a-z0-9]{1,8})*$/i

/** Bokmål is the written form of nearly all Norwegian texts and voices, under either code. */
const sameLanguages: Readonly<Record<string, string>> = { nb: 'no' }

/**
 * Reads the parts of a code. Deprecated languages get their current code: `iw` becomes `he`, `cmn` becomes `zh`.
 * @returns `undefined` if the text is not a language code. `AUTO` is none.
 */
function readParts(code: string): { given: Language; likely: Language } | undefined {
  if (!wellFormed.test(code)) return undefined
  try {
    const given = new Intl.Locale(code.replaceAll('_', '-'))
    return { given: toLanguage(given), likely: toLanguage(given.maximize()) }
  } catch {
    return undefined
  }
}

function toLanguage({ language, script, region }: Intl.Locale): Language {
  return { language: sameLanguages[language] ?? language, script, region }
}

/** Whether a text is a language code, such as `en`, `en-US` or `EN_US`. `AUTO` is none. */
export function isLanguageCode(text: string): boolean {
  return readParts(text) !== undefined
}

/**
 * Whether a language range such as `de` or `zh-Hant` includes a language (RFC 4647, extended filtering): `de` includes
 * `DE_AT`, `zh-Hant` includes `ZH_TW`, and `de-AT` does not include `DE_DE`.
 * @param code the language of a voice or a model. Nothing includes `AUTO`, null or an invalid code.
 */
export function includesLanguage(range: string, code: string | null | undefined): boolean {
  const wanted = readParts(range)?.given
  const spoken = readParts(code ?? '')?.likely
  if (!wanted || !spoken) return false
  return (
    wanted.language === spoken.language &&
    (!wanted.script || wanted.script === spoken.script) &&
    (!wanted.region || wanted.region === spoken.region)
  )
}

/** Whether two codes are the same language, in any script and region: an American voice also speaks British English. */
export function isSameLanguage(one: string, other: string): boolean {
  const language = readParts(one)?.given.language
  return language !== undefined && language === readParts(other)?.given.language
}

/**
 * Finds the item with the most similar language (RFC 4647, lookup): an item with a language in the range, or else one with the
 * same language in another region.
 */
export function lookUpLanguage<Item>(
  range: string,
  items: readonly Item[],
  codesOf: (item: Item) => readonly string[],
): Item | undefined {
  return (
    items.find((item) => codesOf(item).some((code) => includesLanguage(range, code))) ??
    items.find((item) => codesOf(item).some((code) => isSameLanguage(range, code)))
  )
}

/** The language of a code, without script and region: `en` for `EN_US`. An invalid code is returned in lower case. */
export function languageOf(code: string): string {
  return readParts(code)?.given.language ?? code.toLowerCase()
}

/**
 * Converts a code to that of voices, with the likely region: `EN_US` for `en`. A text that is not a language code becomes
 * `AUTO`.
 */
export function toLangCode(code: string): string {
  const { language, region } = readParts(code)?.likely ?? {}
  return region ? `${language}_${region}`.toUpperCase() : 'AUTO'
}
