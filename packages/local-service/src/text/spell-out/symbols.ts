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
  if (/^[-−–]$/.test(text) && isBetweenAmounts(place)) return isSum(place) ? 'minus' : 'to'
  if (/^[-−–]$/.test(text) && isBetweenNumbers(place)) {
    return text === '–' || isRising(place) ? 'to' : 'minus'
  }
  if (/^[-−–]$/.test(text) && isBeforeDegrees(place)) return 'minus'
  const [, count] = /^#(\d+)$/.exec(text) ?? []
  if (count) return `number ${count}`
  const symbol = symbols.get(text)
  if (symbol !== undefined) return symbol
  if (/[A-Za-z]&[A-Za-z]/.test(text)) return text.replaceAll('&', ' and ')
  return /[™®©]/.test(text) ? text.replace(/[™®©]/g, '') : undefined
}

/** "- 5 °C", which is not a dash. */
function isBeforeDegrees({ words, index }: WordPlace): boolean {
  const [next = '', second = ''] = [words[index + 1]?.text, words[index + 2]?.text]
  return (
    /^\d[\d.,]*°[CF]?$/.test(next) ||
    (/^\d[\d.,]*$/.test(next) && /^(?:°[CF]?|℃|℉|dBm)$/.test(second))
  )
}

/** "5 - 7", of which nobody takes seven away. */
function isRising(place: WordPlace): boolean {
  const valueAt = (at: number) => Number(place.words[at]?.text.replaceAll(',', ''))
  return valueAt(place.index - 1) < valueAt(place.index + 1) && !isSum(place)
}

/** "5 - 7 = -2" */
function isSum({ words, index }: WordPlace): boolean {
  return words[index + 2]?.text === '='
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
  const isAlone = (at: number) =>
    /^(?:US\$|[€$£¥₹])\d/.test(words[at]?.text ?? '') ||
    spellTime(words[at]?.text ?? '') !== undefined
  if (isAlone(index - 1) && isAlone(index + 1)) return true
  const isAfterAmount = isNumber(index - 1) || hasUnit(index - 1) || isUnit(index - 1)
  return (
    isAfterAmount && words[index - 1]?.after === '' && (hasUnit(index + 1) || isUnit(index + 2))
  )
}

function isBetweenNumbers({ words, index }: WordPlace): boolean {
  const isNumber = (at: number) => /^\d[\d.,]*$/.test(words[at]?.text ?? '')
  return isNumber(index - 1) && isNumber(index + 1)
}
