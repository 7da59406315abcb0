import { isRisingPrice } from './money.ts'
import { spansOfTime } from './numbers.ts'
import { spellTime } from './times.ts'
import { isAmountWithUnit, isFollowedByUnit } from './units.ts'
import { type Rule, textAfter, type WordPlace } from './word.ts'

/** Symbols between spaces. */
const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': 'and',
    '+': 'plus',
    '=': 'equals',
    '→': 'to',
    '->': 'to',
    '=>': 'to',
    '@': 'at',
    '~': 'about',
    '©': 'copyright',
    // Comparisons.
    '<': 'less than',
    '>': 'more than',
    '≤': 'at most',
    '≥': 'at least',
    '<=': 'at most',
    '>=': 'at least',
    // Arithmetic.
    '≈': 'about',
    '±': 'plus or minus',
    '×': 'times',
    '÷': 'divided by',
    '≠': 'is not',
    '!=': 'is not',
    // Read as a pause, or not at all.
    '/': ',',
    '•': '',
    '|': '',
    '·': '',
    '™': '',
    '®': '',
  }),
)

/** Symbols that Flite would drop or misread. */
export const symbolRule: Rule = (text, place) => {
  if (/^[x*]$/.test(text) && isBetweenNumbers(place)) return text === 'x' ? 'by' : 'times'
  if (/^[-−–]$/.test(text)) return spellDash(text, place)
  const [, count] = /^#(\d+)$/.exec(text) ?? []
  if (count) return `number ${count}`
  const symbol = symbols.get(text)
  if (symbol !== undefined) return symbol
  if (/[A-Za-z]&[A-Za-z]/.test(text)) return text.replaceAll('&', ' and ')
  return /[™®©]/.test(text) ? text.replace(/[™®©]/g, '') : undefined
}

/** @returns `undefined` for a dash that is a pause. */
function spellDash(text: string, place: WordPlace): string | undefined {
  if (isSum(place)) return 'minus'
  if (isBetweenAmounts(place)) return 'to'
  if (isBetweenNumbers(place)) return text === '–' || isRising(place) ? 'to' : 'minus'
  return isBeforeDegrees(place) ? 'minus' : undefined
}

/** "- 5 °C", which is not a dash. */
function isBeforeDegrees({ words, index }: WordPlace): boolean {
  const [next = '', second = ''] = [words[index + 1]?.text, words[index + 2]?.text]
  return (
    /^\d[\d.,]*°[CF]?$/.test(next) ||
    (/^\d[\d.,]*$/.test(next) && /^(?:°[CF]?|℃|℉|dBm)$/.test(second))
  )
}

/** "5 - 7", of which nobody takes seven away, but not "1 + 2 - 3" and "100 000 - 5". */
function isRising({ words, index }: WordPlace): boolean {
  const valueAt = (at: number) => {
    const text = words[at]?.text ?? ''
    return /^0\d/.test(text) ? Number.NaN : Number(text.replaceAll(',', ''))
  }
  const isOperator = (at: number, beyond: number) =>
    /^[=+×*÷x]$/.test(words[at]?.text ?? '') ||
    (/^[-−–]$/.test(words[at]?.text ?? '') && /^\d/.test(words[beyond]?.text ?? ''))
  if (isOperator(index - 2, index - 3) || isOperator(index + 2, index + 3)) return false
  return valueAt(index - 1) < valueAt(index + 1)
}

/** "5 - 7 = -2", "5 kg - 3 kg = 2 kg" */
function isSum({ words, index }: WordPlace): boolean {
  const hasNumber = (at: number) => /^(?:US\$|[€$£¥₹])?\d/.test(words[at]?.text ?? '')
  const isBetween = (hasNumber(index - 1) || hasNumber(index - 2)) && hasNumber(index + 1)
  return isBetween && [2, 3].some((ahead) => words[index + ahead]?.text === '=')
}

/** "18 - 20 °C", "10 - 20 minutes", "18°C - 20°C", "18 °C - 20 °C", "$5 - $10", "9:30 - 17:15" */
function isBetweenAmounts(place: WordPlace): boolean {
  const { words, index } = place
  const at = (index: number) => ({ ...place, index })
  const isNumber = (at: number) => /^\d[\d.,]*$/.test(words[at]?.text ?? '')
  const hasUnit = (index: number) => isAmountWithUnit(words[index]?.text ?? '', at(index))
  const isUnit = (index: number) =>
    isNumber(index - 1) &&
    (isFollowedByUnit(at(index - 1)) || spansOfTime.has(textAfter(at(index - 1))))
  const [before = '', next = '', unit = ''] = [-1, 1, 2].map((step) => words[index + step]?.text)
  if (spellTime(before) !== undefined && spellTime(next) !== undefined) return true
  if (isRisingPrice(before, next)) return true
  // "45 % - 5 °C"
  const isOther =
    /[^\d.,]$/.test(before) && isScale(before) !== isScale(/\D$/.test(next) ? next : unit)
  if (isOther && isBeforeDegrees(place)) return false
  const isAfterAmount = isNumber(index - 1) || hasUnit(index - 1) || isUnit(index - 1)
  return (
    isAfterAmount && words[index - 1]?.after === '' && (hasUnit(index + 1) || isUnit(index + 2))
  )
}

const isScale = (text: string) => /(?:°[CF]?|[℃℉])$/.test(text)

function isBetweenNumbers({ words, index }: WordPlace): boolean {
  const isNumber = (at: number) => /^\d[\d.,]*$/.test(words[at]?.text ?? '')
  return isNumber(index - 1) && isNumber(index + 1)
}
