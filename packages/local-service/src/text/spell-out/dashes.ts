import { isDate, isRangeOfNames, isWeekday } from './dates.ts'
import { isRisingPrice } from './money.ts'
import { normalizeSeparators, spansOfTime } from './numbers.ts'
import { hasResult, isCalculation } from './sums.ts'
import { isHalfOfDay, spellTime } from './times.ts'
import { canBeNegative, isSameKind } from './unit-kinds.ts'
import { isAfterLabel, isAmountWithUnit, isFollowedByUnit } from './units.ts'
import { setOf, textAfter, type WordPlace } from './word.ts'

/** A number, and what is counted. */
interface Measure {
  value: number
  /** A symbol or a noun, `clock` for a time of the day; empty for a plain number. */
  unit: string
  /** Whether the unit is no other noun. */
  isMeasured: boolean
}

const price = /^(?:US\$|[€$£¥₹])?\d/
/** Whether a number of a few digits is one of two hours: "from 9 - 5". */
const beforeHours = setOf('from open opens between')

/** A dash between spaces. @returns "to" in a range, "minus" in a subtraction or before a frost; `undefined` for a pause. */
export function spellDash(text: string, place: WordPlace): string | undefined {
  const { words, index } = place
  const texts = words.map((word) => word.text)
  const [before = '', next = ''] = [texts[index - 1], texts[index + 1]]
  if (isRangeOfNames(before, next)) return 'to'
  if (isDate(texts.slice(0, index).slice(-3)) && isDate(texts.slice(index + 1, index + 3))) {
    return 'to'
  }
  if (!price.test(next)) return undefined
  const start = startOfAmount(texts, index)
  const after = texts.slice(texts[index + 2] === '000' ? index + 3 : index + 2)
  if (start !== undefined && hasResult(after)) return 'minus'
  if (isRisingPrice(before, next)) return 'to'
  const from = start === undefined ? undefined : readMeasure(place, start)
  const to = readMeasure(place, index + 1)
  if (!to) return undefined
  if (!from || isOther(from, to, isAfterLabel({ ...place, index: start! }))) {
    return canBeNegative(to.value, to.unit) ? 'minus' : undefined
  }
  if (from.unit !== '' || to.isMeasured || text === '–') return 'to'
  const earlier = texts.slice(0, start)
  if (isCalculation(earlier, after)) return 'minus'
  const last = earlier.at(-1) ?? ''
  const isOfHours = isWeekday(last) || beforeHours.has(last.toLowerCase())
  // Nobody subtracts "06".
  const isLabel = /^0\d/.test(texts[start!]!) || /^0\d/.test(next)
  return isOfHours || isLabel || from.value < to.value ? 'to' : 'minus'
}

/** @returns the place of the number before a dash, which may have a unit, and a space between its thousands. */
function startOfAmount(texts: readonly string[], dash: number): number | undefined {
  const last = [dash - 1, dash - 2].find((at) => price.test(texts[at] ?? ''))
  if (last === undefined) return undefined
  return texts[last] === '000' && /^\d{1,3}$/.test(texts[last - 1] ?? '') ? last - 1 : last
}

function readMeasure(place: WordPlace, start: number): Measure | undefined {
  const { words } = place
  const text = words[start]?.text ?? ''
  const [, number = '', attached = ''] = /^(\d[\d.,]*)(.*)$/s.exec(text) ?? []
  if (number === '') return undefined
  const isGrouped = words[start + 1]?.text === '000' && attached === ''
  const at = { ...place, index: isGrouped ? start + 1 : start }
  const value = Number(normalizeSeparators(number)) * (isGrouped ? 1000 : 1)
  if (spellTime(text) !== undefined) return { value, unit: 'clock', isMeasured: true }
  if (/^(?:st|nd|rd|th)$/.test(attached)) return { value, unit: 'th', isMeasured: false }
  if (attached !== '') {
    return { value, unit: attached, isMeasured: isAmountWithUnit(text, at) }
  }
  const next = textAfter(at)
  if (isHalfOfDay(next)) return { value, unit: 'clock', isMeasured: true }
  const isMeasured = isFollowedByUnit(at) || spansOfTime.has(next)
  return { value, unit: isMeasured || /^\p{L}{3,}/u.test(next) ? next : '', isMeasured }
}

/** "45 % - 5 °C", "Room 4 - 5 °C": whether two amounts are not the ends of a range. */
function isOther(from: Measure, to: Measure, isLabelled: boolean): boolean {
  if (from.unit === '') return isLabelled && to.isMeasured
  if (to.unit === '') return from.unit !== 'clock'
  return !isSameKind(from.unit, to.unit)
}
