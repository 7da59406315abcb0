import { canBeName, type Measure, readDash } from '../dash-between-amounts.ts'
import { isNumericDate, isRangeOfYears } from '../numeric-dates.ts'
import { hasResult, isCalculation } from '../sums.ts'
import { temperatureScale } from '../unit-kinds.ts'
import { setOf, textAfter, type WordPlace } from '../word.ts'
import { isDate, isRangeOfNames, isWeekday } from './dates.ts'
import { isRisingPrice } from './money.ts'
import { normalizeSeparators, spansOfTime } from './numbers.ts'
import { isTelephoneNumber } from './telephone.ts'
import { isHalfOfDay, spellTime } from './times.ts'
import { isAfterLabel, isAmountWithUnit, isFollowedByUnit } from './units.ts'

/** A date before a dash, or a calculation after it. */
const wordsAround = 8
const price = /^(?:US\$|[€$£¥₹])?\d/
/** Words before a percentage that is taken off. */
const sales = setOf('sale discount promo')
/** The words before a subtraction, at their end. */
const sums = /(?:what(?:['’]s| is)|how much is|calculate)$/i
/** Words before two hours: "from 9 - 5". */
const beforeHours = setOf('from open opens between')

/** A dash between spaces. @returns "to" in a range, "minus" in a subtraction or before a frost; `undefined` for a pause. */
export function spellDash(text: string, place: WordPlace): string | undefined {
  const { words, index } = place
  const textsOf = (from: number, to: number) => words.slice(from, to).map((word) => word.text)
  const earlier = textsOf(Math.max(0, index - wordsAround), index)
  const following = textsOf(index + 1, index + 1 + wordsAround)
  const [last = '', next = ''] = [earlier.at(-1), following[0]]
  if (isRangeOfNames(last, next)) return 'to'
  if (isDate(earlier.slice(-3)) && isDate(following.slice(0, 2))) return 'to'
  if (isNumericDate(last) && isNumericDate(next)) return 'to'
  if (!price.test(next) || isNumericDate(next)) return undefined
  if (isTelephoneNumber({ ...place, index: index - 1 })) return undefined
  const length = lengthOfAmount(earlier, place)
  const after = following.slice(following[1] === '000' ? 2 : 1)
  if (length > 0 && hasResult(after)) return 'minus'
  if (isRisingPrice(last, next)) return 'to'
  const start = { ...place, index: index - length }
  const from = length > 0 ? readMeasure(start) : undefined
  const to = readMeasure({ ...place, index: index + 1 })
  if (!to) return undefined
  if (to.unit === '%' && sales.has(last.toLowerCase())) return 'minus'
  const isName = from !== undefined && isAfterLabel(start) && canBeName(earlier.at(-length)!, from)
  const reading = readDash(from, to, isName)
  if (!from || reading !== 'range') return reading === 'minus' ? 'minus' : undefined
  if (from.unit !== '' || to.isMeasured || text === '–') return 'to'
  const before = earlier.slice(0, -length)
  if (isCalculation(before, after) || sums.test(before.join(' '))) return 'minus'
  return from.value < to.value || isNoSubtraction(before, earlier.at(-length)!, next)
    ? 'to'
    : 'minus'
}

/** Whether the first of two numbers may be larger: "Mon - Fri 9 - 5", "22 - 06", "2025 - 26". */
function isNoSubtraction(before: readonly string[], from: string, to: string): boolean {
  const last = before.at(-1) ?? ''
  return (
    isWeekday(last) ||
    isRangeOfYears(from, to) ||
    beforeHours.has(last.toLowerCase()) ||
    [from, to].some((one) => /^0\d/.test(one))
  )
}

/** @returns of how many words the amount before a dash consists: its unit and thousands may be words of their own. */
function lengthOfAmount(earlier: readonly string[], { words, index }: WordPlace): number {
  const isMarked = (back: number) => (words[index - back]?.after ?? '') !== ''
  // "It was 20, now - 5 °C", "Living room 21, kitchen - 19"
  if (!['', '.'].includes(words[index - 1]?.after ?? '')) return 0
  const isScaled = temperatureScale.test(earlier.at(-1) ?? '')
  const lengths = isScaled ? [3] : [1, 2]
  const length = lengths.find((back) => price.test(earlier.at(-back) ?? ''))
  if (length === undefined || (length > 1 && isMarked(length)) || (isScaled && isMarked(2)))
    return 0
  const isGroup = earlier.at(-length) === '000' && /^\d{1,3}$/.test(earlier.at(-length - 1) ?? '')
  return isGroup ? length + 1 : length
}

function readMeasure(place: WordPlace): Measure | undefined {
  const { words, index } = place
  const text = words[index]?.text ?? ''
  const [, number = '', attached = ''] = /^(\d[\d.,]*)(.*)$/s.exec(text) ?? []
  if (number === '') return undefined
  const isGrouped = words[index + 1]?.text === '000' && attached === ''
  const at = { ...place, index: isGrouped ? index + 1 : index }
  const value = Number(normalizeSeparators(number)) * (isGrouped ? 1000 : 1)
  if (spellTime(text) !== undefined) return { value, unit: 'clock', isMeasured: true }
  if (/^(?:st|nd|rd|th)$/.test(attached)) return { value, unit: 'ordinal', isMeasured: false }
  if (attached !== '') {
    return { value, unit: attached, isMeasured: isAmountWithUnit(text, at) }
  }
  const next = textAfter(at)
  if (isHalfOfDay(next)) return { value, unit: 'clock', isMeasured: true }
  const isMeasured = isFollowedByUnit(at) || spansOfTime.has(next)
  return { value, unit: isMeasured || /^\p{L}{3,}/u.test(next) ? next : '', isMeasured }
}
