import { canBeName, isHour, type Measure, readDash } from '../dash-between-amounts.ts'
import { isNumericDate } from '../numeric-dates.ts'
import { hasResult, isCalculation } from '../sums.ts'
import { kindOfUnit } from '../unit-kinds.ts'
import type { Rest } from './language.ts'
import { type MeasureInText, readMeasure } from './measures.ts'
import { endsInTelephone } from './telephone.ts'
import { isMonth } from './weekdays-and-months.ts'

const pause = ','
/** "24.12", "22:00", "1/2", "2026-12-24" */
const dateOrTime = /^(?:\d{1,4}[./:-]\d{1,2}(?:[./:-]\d{1,2})?|\d{1,2}[./]\d{1,2}[./]\d{4})$/

/** A dash between spaces: "to" in a range, "minus" in a subtraction or before a frost, or a pause. */
export function spellDash(rest: Rest): string {
  const { language, words, earlier } = rest
  const [to, minus] = [language.words.to, language.signs['-']!]
  // "ore 22 - ore 6"
  const following = words.slice(language.afterTime.test(words[1] ?? '') ? 2 : 1)
  const next = following[0] ?? ''
  if (!/^[€$£]?\d/.test(next)) return pause
  if (endsInTelephone(language, earlier)) return pause
  const start = startOfLastNumber(earlier)
  const from = readMeasure(language, earlier.slice(start))
  const end = readEnd(rest, following)
  if (from && end && hasResult(end.afterNumber)) return minus
  const isBetweenDates = dateOrTime.test(earlier.at(-1) ?? '') && dateOrTime.test(next)
  if (isBetweenDates || isBetweenDays(rest) || isFromFirst(rest)) return to
  if (!end || isNumericDate(next)) return pause
  if (end.unit === '%' && language.sales.test(earlier.at(-1) ?? '')) return minus
  const before = earlier.slice(0, start)
  const isLabelled = language.labels.test(before.at(-1) ?? '')
  const isName = from !== undefined && isLabelled && canBeName(earlier[start]!, from)
  const reading = readDash(from && isNextTo(from, end) ? from : undefined, end, isName)
  if (!from || reading !== 'range') return reading === 'minus' ? minus : pause
  if (from.unit !== '') {
    if (from.unit === 'ordinal' || isRising(from, end)) return to
    return from.afterUnit.length === 0 && /^\d/.test(earlier[start]!) ? minus : pause
  }
  if (end.isMeasured) return to
  if (language.sums.test(before.join(' '))) return minus
  // Scores, shares and hours fall, too: "3 - 2", "50 - 50", "22 - 6".
  return words[0] !== '–' && isCalculation(before, end.afterNumber) ? minus : to
}

/** Reads the amount after a dash, whose full stop may be the mark of an ordinal: "2. Stock". */
function readEnd({ language, words, after, goesOn }: Rest, following: readonly string[]) {
  const end = readMeasure(language, following)
  const isOrdinal = words.length === 2 && after === '.' && goesOn && language.ordinalMark.test('.')
  return end?.unit === '' && isOrdinal ? { ...end, unit: 'ordinal' } : end
}

function startOfLastNumber(words: readonly string[]): number {
  let start = words.findLastIndex((word) => /^[-–+€$£]*\d/.test(word))
  while (/^\d{3}(?!\d)/.test(words[start] ?? '') && /^[-–+]?\d{1,3}$/.test(words[start - 1] ?? ''))
    start -= 1
  return Math.max(start, 0)
}

/** Whether no word is between an amount and the dash, unless both have it: "5 Kilometer pro Stunde - 10 Kilometer pro Stunde". */
function isNextTo(from: MeasureInText, end: MeasureInText): boolean {
  return from.afterUnit.every((word, at) => word === end.afterUnit[at])
}

/** Shops are open across midnight, so two hours need not rise. */
function isRising(from: Measure, end: Measure): boolean {
  const [first, last] = [from, end].map(({ value, unit }) => value * kindOfUnit(unit).size)
  return isHour(from) || first! < last!
}

/** "1. Mai - 3. Mai", "24 de diciembre de 2026 - 2 de enero" */
function isBetweenDays({ language, earlier, words, after }: Rest): boolean {
  const month = earlier.findLastIndex((word) => isMonth(language, word))
  const isDay = (word = '') => /^\d{1,2}(?:er|[º°])?$/.test(word)
  const isAfterDate =
    earlier.slice(month + 1).every((word) => /^(?:de|\d{4})$/.test(word)) &&
    (isDay(earlier[month - 1]) || isDay(earlier[month - 2]))
  const [, day, next] = words
  const isDate =
    next === undefined ? after.startsWith('.') : next === 'de' || isMonth(language, next)
  return month > 0 && isAfterDate && isDay(day) && isDate
}

/** "1er - 5 juin", "1° - 5 giugno", "1º - 5 de junio" */
function isFromFirst({ language, earlier, words }: Rest): boolean {
  const [, day = '', next = '', afterNext = ''] = words
  const [, mark = ''] = /^1(er|\.?[º°])$/.exec(earlier.at(-1) ?? '') ?? []
  const isFirst = mark !== '' && language.ordinalMark.test(mark)
  return isFirst && /^\d{1,2}$/.test(day) && isMonth(language, next === 'de' ? afterNext : next)
}
