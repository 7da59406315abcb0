/** "2026-12-24", "24/12/2026", "2/1/27" */
const numericDate = /^(?:\d{4}-\d\d-\d\d|\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{1,2}([/.])\d{1,2}\2\d\d)$/

/** Whether the text is a date with the number of its month and its year. */
export function isNumericDate(text: string): boolean {
  return numericDate.test(text)
}

/** The year that two digits mean: 70 and later ones are in the last century. @param year of two or four digits. */
export function fullYear(year: string): string {
  if (year.length !== 2) return year
  return (Number(year) < 70 ? '20' : '19') + year
}

/** "2025 - 26": whether the second number is the end of a later year. */
export function isRangeOfYears(from: string, to: string): boolean {
  return /^(?:1[89]|20)\d\d$/.test(from) && /^\d\d$/.test(to) && from.slice(-2) < to
}
