import { isNumericDate } from './numeric-dates.ts'

/** "+49", "(0)89", "1234-5678" */
const groupOfDigits = /^\+?\(?\d[\d()/-]*$/
const dash = /^[-–]$/
/** Fewer digits are a number, or a date. */
export const minTelephoneDigits = 7

/** Whether the text may be in a telephone number: digits, or a dash between them. */
export function isPartOfTelephone(text: string): boolean {
  const isOther = text === '24/7' || isNumericDate(text)
  return dash.test(text) || (groupOfDigits.test(text) && !isOther)
}

/**
 * The groups of digits of a telephone number, and the dashes between them: "030", "-", "1234567".
 * @param texts the words from its first group up to the next mark. The amount after "030 1234567 - 9 bis 17 Uhr" does not belong
 *   to it.
 * @param isAmountBefore whether digits before a text and the one after that are an amount.
 */
export function groupsOfTelephone(
  texts: readonly string[],
  isAmountBefore: (next: string, second: string) => boolean,
): readonly string[] {
  const isDash = (at: number) => dash.test(texts[at] ?? '')
  const isGroup = (text: string, at: number) =>
    isPartOfTelephone(text) && !(isDash(at) && (at === 0 || isDash(at - 1)))
  const stop = texts.findIndex((text, at) => !isGroup(text, at))
  const length = stop < 0 ? texts.length : stop
  const end = isDash(length - 1) ? length - 1 : length
  const groups = texts.slice(0, end).map((text) => text.replace('–', '-'))
  const [next = '', second = ''] = texts.slice(end)
  const dashAfterNumber = groups.findIndex(
    (group, at) => group === '-' && digitsOf(groups.slice(0, at)).length >= minTelephoneDigits,
  )
  const isOnlyDash = groups.indexOf('-') === dashAfterNumber
  const isAmount = /^\p{L}/u.test(next) && (isOnlyDash || isAmountBefore(next, second))
  return dashAfterNumber > 0 && isAmount ? groups.slice(0, dashAfterNumber) : groups
}

/** @returns the digits of the groups, without the marks between them. */
export function digitsOf(groups: readonly string[]): string {
  return groups.join('').replace(/\D/g, '')
}

/** "24 - 12 - 2026", "0900 - 1200 1300 - 1700". @param groups of digits, and the dashes between them. */
export function isDateOrRange(groups: readonly string[]): boolean {
  return isNumericDate(groups.join('')) || isRanges(groups)
}

/** Whether the groups are only ranges of numbers of the same length. */
function isRanges(groups: readonly string[]): boolean {
  const ranges = groups.flatMap((_, at) => (at % 3 === 0 ? [groups.slice(at, at + 3)] : []))
  return ranges.every(([from = '', middle, to = '']) => {
    // The area code of a telephone number has the zero that no postal code or hour has alone.
    const isAreaCode = from.length > 4 && from.startsWith('0') && !to.startsWith('0')
    return middle === '-' && from.length === to.length && !isAreaCode
  })
}
