import type { Language, Noun } from './language.ts'

/** A number at the start of a word. */
export interface WrittenAmount {
  sign: string
  /** Digits with a full stop before the decimals, or a fraction such as `1/2`. */
  value: string
  /** The end of a range. */
  end?: string
  /** What follows in the same word. */
  rest: string
}

/** The digits of a number, as a pattern: "1.250", "21,5". */
export const digits = String.raw`[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?`
const amount = new RegExp(
  `^(<=|>=|[-–+±~≈<>≤≥])?(1/[234](?!\\d)|2/3(?!\\d)|3/4(?!\\d)|[½⅓⅔¼¾]|${digits})(?:[-–—]([-+]?(?:${digits})))?(.*)$`,
  's',
)
/** A number with more digits is read digit by digit. */
export const maxDigits = 12
/** "0.125" is not in thousands. */
const grouped = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/

/** Reads an amount in one word, or in two with a space between its thousands. @returns it with the number of its words. */
export function readAmount(
  words: readonly string[],
): (WrittenAmount & { length: number }) | undefined {
  let [word = ''] = words
  let length = 1
  const isGroup = /^[-–+]?[1-9]\d{0,2}$/.test(word)
  while (isGroup && length < 4 && /^\d{3}(?!\d|[/:])/.test(words[length] ?? '')) {
    word += words[length]
    length += 1
    if (/\D$/.test(word) || /,/.test(word)) break
  }
  const found = amount.exec(word)
  if (!found) return undefined
  const [, sign = '', value = '', end, rest = ''] = found
  const amountOfWords = { sign, value, ...(end && { end }) }
  // "21° C"
  const isScaleApart = rest === '°' && /^[CF]$/.test(words[length] ?? '')
  return isScaleApart
    ? { ...amountOfWords, rest: rest + words[length], length: length + 1 }
    : { ...amountOfWords, rest, length }
}

/** Whether a unit is one of sensors, which write 21.375 with a full stop before the decimals. */
export function isOfSensor(unit: string): boolean {
  return /^(?:°|℃|%|K$)/.test(unit)
}

/**
 * @param isMeasured whether a full stop stands before the decimals. Otherwise it may stand between thousands.
 * @returns the digits of the whole number, and the decimals if there are any.
 */
export function partsOf(written: string, isMeasured: boolean): string[] {
  const isGrouped = grouped.test(written) && !isMeasured
  return (isGrouped ? written.replaceAll('.', '') : written).split(/[.,]/)
}

/** @param unit its unit, which decides what a full stop means; empty if it has none. */
export function numberOf({ sign, value }: WrittenAmount, unit: string): number {
  const size = Number(partsOf(value, isOfSensor(unit)).join('.'))
  return /^[-–]$/.test(sign) ? -size : size
}

/** @returns the number in words; its digits if it is long or begins with zeros. */
export function spellNumber(
  language: Language,
  written: string,
  {
    gender,
    isMeasured = false,
  }: { gender?: Noun['gender'] | undefined; isMeasured?: boolean } = {},
): string {
  if (Object.hasOwn(language.fractions, written)) return language.fractions[written]!
  const [whole = '', decimals] = partsOf(written, isMeasured)
  const spoken =
    whole.length > maxDigits || /^0\d/.test(whole)
      ? spellDigits(language, whole)
      : language.cardinal(Number(whole), decimals === undefined ? gender : undefined)
  if (decimals === undefined) return spoken
  const isNumber = language.readsDecimalsAsNumber && /^[1-9]\d?$/.test(decimals)
  const after = isNumber ? language.cardinal(Number(decimals)) : spellDigits(language, decimals)
  return `${spoken} ${language.words.comma} ${after}`
}

/** @returns the digits one by one. */
export function spellDigits(language: Language, written: string): string {
  return Array.from(written.replace(/\D/g, ''), (digit) => language.cardinal(Number(digit))).join(
    ' ',
  )
}
