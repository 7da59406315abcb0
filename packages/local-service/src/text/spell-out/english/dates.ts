import { fullYear } from '../numeric-dates.ts'
import { isLast, type Rule, setOf, textBefore, type WordPlace } from '../word.ts'
import { spellTime } from './times.ts'

const months =
  'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Names by abbreviation, as written: "Mar" is a month, "mar" is not. */
const names = new Map<string, string>([
  ...months.filter((month) => month !== 'May').map((month) => [month.slice(0, 3), month] as const),
  ['Sept', 'September'],
  ...weekdays.map((day) => [day.slice(0, 3), day] as const),
  ['Tues', 'Tuesday'],
  ['Thur', 'Thursday'],
  ['Thurs', 'Thursday'],
])
/** Abbreviations that are also words, such as "Sun". They are spelled out next to a number, and before a full stop inside of a sentence. */
const alsoWords = setOf('Sun Sat Mar Wed Jan')

/** Dates: "2026-11-23", "11/23/2026", "Mon-Fri". */
export const dateRule: Rule = (text, place) =>
  spellTimestamp(text, place) ??
  spellYearFirst(text, place) ??
  spellYearLast(text, place) ??
  spellWithoutYear(text, place) ??
  spellDay(text, place) ??
  spellNames(text)

/** ISO 8601, as machines write it. */
function spellTimestamp(text: string, place: WordPlace): string | undefined {
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:Z|[-+]\d\d:?\d\d)?$/.exec(text) ?? []
  const date = spellYearFirst(day, place)
  const spokenTime = spellTime(time)
  return date && spokenTime && `${date} at ${spokenTime}`
}

function spellYearFirst(text: string, { dayFirst }: WordPlace): string | undefined {
  const [, year, , month, day] = /^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?$/.exec(text) ?? []
  if (!year || !month || (!day && !text.includes('-'))) return undefined
  // "2026.11.3" is the version of a program.
  if (text.includes('.') && day!.length + month.length < 4) return undefined
  return spellDate({ year, month, day }, dayFirst)
}

const beforeVersions = setOf('version firmware release update build kernel')

function spellYearLast(text: string, { words, index, dayFirst }: WordPlace): string | undefined {
  const [, first = '', mark = '', second = '', year = ''] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/.exec(text) ?? []
  // "1.4.12" is the version of a program.
  const isShort = year.length === 2 && first.length + second.length < 4
  const isVersion = isShort || beforeVersions.has(words[index - 1]?.text.toLowerCase() ?? '')
  if (mark === '.' && isVersion) return undefined
  const isDayFirst = mark === '.' || Number(first) > 12 || (dayFirst && Number(second) <= 12)
  const [month, day] = isDayFirst ? [second, first] : [first, second]
  return spellDate({ year: fullYear(year), month, day }, dayFirst)
}

const beforeDates = setOf('on by until since from before after due')

function spellWithoutYear(text: string, { words, index, dayFirst }: WordPlace): string | undefined {
  const isAfterPreposition = beforeDates.has(words[index - 1]?.text.toLowerCase() ?? '')
  const dotted = /^(\d\d)\.(\d\d)$/.exec(text)
  if (dotted && words[index]!.after.startsWith('.')) {
    const isDate = isAfterPreposition || text.startsWith('0') || index < words.length - 1
    return isDate ? spellDate({ month: dotted[2]!, day: dotted[1] }, dayFirst) : undefined
  }
  const [, first = '', second = ''] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  if (!isAfterPreposition || /^(?:[a-z]+s|of)$/.test(words[index + 1]?.text ?? '')) return undefined
  if (isShare(first, second, { words, index })) return undefined
  const isDayFirst = Number(first) > 12 || (dayFirst && Number(second) <= 12)
  const [month, day] = isDayFirst ? [second, first] : [first, second]
  return spellDate({ month, day }, dayFirst)
}

/** "The price fell by 1/3", but "due by 1/3" is a date. */
function isShare(
  upper: string,
  lower: string,
  { words, index }: Pick<WordPlace, 'words' | 'index'>,
): boolean {
  const [before = '', verb = ''] = [1, 2].map((back) => words[index - back]?.text.toLowerCase())
  const isSimple = Number(upper) < Number(lower) && Number(lower) <= 10
  return before === 'by' && verb !== 'due' && isSimple
}

interface DateParts {
  year?: string | undefined
  month: string
  day?: string | undefined
}

/** @returns `undefined` if there is no such date. */
function spellDate({ year, month, day }: DateParts, dayFirst: boolean): string | undefined {
  const name = months[Number(month) - 1]
  if (!name || (day !== undefined && (Number(day) < 1 || Number(day) > 31))) return undefined
  if (day === undefined) return `${name} ${year}`
  const date = dayFirst
    ? `the ${ordinal(Number(day))} of ${name}`
    : `${name} ${ordinal(Number(day))}`
  return year ? `${date} ${year}` : date
}

/** A number that `numbersInWords` reads as an ordinal, with any ending. */
function ordinal(day: number): string {
  return `${day}th`
}

const fullMonths = new Set(months)

/** The day next to a month: "Nov 23", "23. November", "Nov 23-25". */
function spellDay(text: string, { words, index }: WordPlace): string | undefined {
  if (!/^\d{1,2}(?:[-–]\d{1,2})?$/.test(text)) return undefined
  const isMonth = (at: number) => {
    const word = words[at]?.text ?? ''
    return fullMonths.has(word) || months.includes(names.get(word) ?? '')
  }
  const days = text.split(/[-–]/)
  if (!days.every((day) => Number(day) >= 1 && Number(day) <= 31)) return undefined
  const isAfter = isMonth(index - 1) && words[index - 1]!.after.length < 2
  const isBefore = isMonth(index + 1) && /^\.?$/.test(words[index]!.after)
  if (!isAfter && !isBefore) return undefined
  return days.map((day) => ordinal(Number(day))).join(' to ')
}

/** "Mon-Fri" */
function spellNames(text: string): string | undefined {
  const [first = '', second = '', third] = text.split(/[-–—/]/)
  const [from, to] = [names.get(first), names.get(second)]
  return third === undefined && from && to ? `${from} to ${to}` : undefined
}

const isMonth = (text: string) => months.includes(names.get(text) ?? text)
export const isWeekday = (text: string) => weekdays.includes(names.get(text) ?? text)

/** "Mon" and "Friday", "May" and "Aug". */
export function isRangeOfNames(from: string, to: string): boolean {
  return (isWeekday(from) && isWeekday(to)) || (isMonth(from) && isMonth(to))
}

/** Whether the words are a day and its month, and perhaps the year. */
export function isDate(words: readonly string[]): boolean {
  const isDay = (text = '') => /^\d{1,2}(?:st|nd|rd|th)?$/.test(text)
  return words.some((word, at) => isMonth(word) && (isDay(words[at - 1]) || isDay(words[at + 1])))
}

/** Whether the text is the abbreviation of a month or of a day of the week. */
export function isDayOrMonth(text: string): boolean {
  return names.has(text)
}

/** @returns the month or the day of the week; `undefined` for other words. */
export function spellDayOrMonth(text: string, place: WordPlace): string | undefined {
  return alsoWords.has(text) && !isDated(place) ? undefined : names.get(text)
}

/** "Sat - Sun" */
function isInRangeOfNames({ words, index }: WordPlace): boolean {
  const [second, before, name = '', after, fourth] = [-2, -1, 0, 1, 2].map(
    (step) => words[index + step]?.text ?? '',
  )
  const isDash = (text = '') => /^[-–—]$/.test(text)
  const isFirst = isDash(after) && isRangeOfNames(name, fourth ?? '')
  return isFirst || (isDash(before) && isRangeOfNames(second ?? '', name))
}

const beforeDays = setOf('on in until till since next last every each this')
const betweenDays = setOf('and or to')

/** "Thank you, Jan." is a name, but "On Sat." and "Open Fri. to Sat." are days. */
function isDated(place: WordPlace): boolean {
  const { words, index } = place
  const wordAt = (at: number) => words[at]?.text ?? ''
  if (/^\d/.test(wordAt(index - 1)) || /^\d/.test(wordAt(index + 1))) return true
  if (isInRangeOfNames(place)) return true
  if (!words[index]!.after.startsWith('.')) return false
  const before = textBefore(place).toLowerCase()
  const isSecond = betweenDays.has(before) && names.has(wordAt(index - 2))
  // "Her name is Jan."
  const isDay = words[index]!.text !== 'Jan' && /^(?:is|it['’]s|was)$/.test(before)
  return !isLast(place) || isSecond || isDay || beforeDays.has(before)
}
