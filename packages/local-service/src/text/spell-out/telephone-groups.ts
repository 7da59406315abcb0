/** "+49", "(0)89", "1234-5678" */
export const groupOfDigits = /^\+?\(?\d[\d()/-]*$/
/** Fewer digits are a number, or a date. */
export const minTelephoneDigits = 7

/** "2026-12-24", "24 - 12 - 2026", "0900 - 1700". @param groups of digits, and the dashes between them. */
export function isDateOrRange(groups: readonly string[]): boolean {
  const [first = '', dash, second] = groups
  const isRange = groups.length === 3 && dash === '-' && first.length === second!.length
  return isRange || /^(?:\d{4}-\d\d-\d\d|\d\d-\d\d-\d{4})$/.test(groups.join(''))
}
