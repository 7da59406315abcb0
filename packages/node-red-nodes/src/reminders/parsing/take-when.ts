import type { PartOfDay, Unit } from '../../grammars/reminder-language.ts'
import { dayMs, minuteMs } from '../zoned-time.ts'
import type { Groups, Patterns } from './compile-language.ts'

const unitsMs: Record<Unit, number> = {
  second: 1000,
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: dayMs,
  week: 7 * dayMs,
}
/** The days of the week. */
export const everyDay = [0, 1, 2, 3, 4, 5, 6]

/** What a text says about a time, part by part. */
export interface SaidWhen {
  recurrence?: SaidRecurrence | undefined
  duration?: Duration | undefined
  /** Whether a word such as `in` says that the duration counts from now. */
  isFromNow?: boolean
  /** Whether no word says from when the duration counts, as `in` and `to` do. */
  isAmount?: boolean
  /** Whether it says two times of day, or one that counts from something else. */
  isUnsupported?: boolean
  day?: SaidDay | undefined
  time?: SaidTime | undefined
  period?: PartOfDay | undefined
  /** Whether it says that the part of the day is today's: `tonight`. */
  isThisDay?: boolean
}

/** A day, and the part of it behind its name. */
type SaidDate = Pick<SaidWhen, 'day' | 'period'>

interface SaidRecurrence {
  everyMs?: number
  days?: number[]
  period?: PartOfDay | undefined
}

/** How long something is. */
export interface Duration {
  /** Hours, minutes and seconds. */
  exactMs: number
  /** Days and weeks, which summer time makes longer or shorter. */
  days: number
}

/** A day from today on, a day of the week, or a date, of which the year or also the month may be missing. */
export type SaidDay =
  | { days: number }
  | { weekday: number; weeksLater?: number; weeksAfter?: number }
  | { year?: number; month?: number; day: number }

export interface SaidTime {
  minuteOfDay: number
  /** Whether it may be in the morning or in the evening. */
  isEither: boolean
}

/** What a text does with a reminder that there is. */
export interface ChangeOfTime {
  /** Whether it gives the reminder another time. */
  isChange?: boolean
  /** Whether that may also be by a duration: `postpone the tea by 2 h`. */
  isMove?: boolean
  /** Whether it is only about when the reminder is due: `from seven`. */
  isOld?: boolean
}

/** Takes what is about a time out of a text. */
export function takeWhen(
  rest: RestOfText,
  patterns: Patterns,
  { isChange = false, isMove = false, isOld = false }: ChangeOfTime,
): SaidWhen {
  const by = isMove ? takeDuration(rest, patterns, patterns.durationsBy) : undefined
  // The rest of "by two hours the Monday paper" is a name.
  if (by) return { duration: by, isAmount: true }
  const recurrence = takeRecurrence(rest, patterns, isChange)
  const dates = isChange ? [...patterns.newDates, ...patterns.dates] : patterns.dates
  const date = takeDate(rest, { ...patterns, dates }) ?? takeWeekAfter(rest, patterns)
  const fromNow = takeDuration(rest, patterns, patterns.durations)
  const marked = fromNow ?? takeDuration(rest, patterns, patterns.timerDurations)
  const isFromNow = fromNow !== undefined
  // The rest of "in ten minutes the Monday paper" is a name.
  if (marked && marked.days === 0 && !recurrence) {
    const isUnsupported = patterns.furtherDurations.some((pattern) => rest.has(pattern))
    return { duration: marked, isFromNow, isUnsupported }
  }
  const clocks = [
    ...patterns.clocks,
    ...(isChange ? patterns.newClocks : []),
    ...(isOld ? patterns.oldClocks : []),
  ]
  const time = takeTime(rest, { ...patterns, clocks })
  const hasSecondTime =
    (time && patterns.secondClocks.some((pattern) => rest.has(pattern))) ||
    (recurrence && (rest.has(patterns.secondRecurrence) || rest.has(patterns.secondWeekday)))
  const isBare = !marked && !time && !recurrence
  const toDuration = isBare ? takeDuration(rest, patterns, [patterns.durationFromNow]) : marked
  const isThisDay = rest.has(patterns.thisDay)
  const period = takePeriod(rest, patterns)
  const named = takeDay(rest, patterns, date)
  const isOnTwoDays = named.day !== undefined && rest.has(patterns.secondWeekday)
  // The rest of "tomorrow walk for two hours" is a name.
  const isAmount = isBare && toDuration === undefined && !named.day
  const isRelative = isAmount && rest.has(patterns.relativeDuration)
  const duration = isAmount ? takeDuration(rest, patterns, patterns.looseDurations) : toDuration
  const isTwice = hasSecondTime || patterns.furtherTimes.some((pattern) => rest.has(pattern))
  return {
    recurrence,
    duration,
    isFromNow,
    isAmount,
    isUnsupported: Boolean(isTwice) || isOnTwoDays || (isRelative && !isMove),
    time,
    day: named.day,
    period: period ?? recurrence?.period ?? named.period,
    isThisDay,
  }
}

/** A recurrence, without the days that the text leaves out. */
function takeRecurrence(
  rest: RestOfText,
  patterns: Patterns,
  isChange: boolean,
): SaidRecurrence | undefined {
  const { every, weekdaysOf } = patterns
  // "Move the meeting from Monday to Friday" is no recurrence.
  const isOtherDay = isChange && every.ranges.some((pattern) => rest.has(pattern))
  if (isOtherDay || rest.takeFirst(every.irregular)) return { everyMs: 0 }
  const weekdays = rest.take(every.exceptWeekdays)
  const weekends = rest.take(every.exceptWeekends)
  const found = takeRegular(rest, patterns)
  if (!weekdays && !weekends) return found
  const left = [...(weekdays ? weekdaysOf(weekdays['weekdays']!) : []), ...(weekends ? [0, 6] : [])]
  const days = (found?.days ?? everyDay).filter((day) => !left.includes(day))
  // An interval has no days that can be left out.
  const isPossible = found && found.everyMs === undefined && days.length > 0
  return isPossible ? { ...found, days } : { everyMs: 0 }
}

function takeRegular(
  rest: RestOfText,
  { every, ...patterns }: Patterns,
): SaidRecurrence | undefined {
  const part = every.parts.find(({ pattern }) => rest.take(pattern))
  if (part) return { period: part.name }
  if (rest.take(every.workday)) return { days: [1, 2, 3, 4, 5] }
  if (rest.take(every.weekend)) return { days: [0, 6] }
  const weekly = rest.takeFirst(every.weekdays) ?? rest.takeFirst(every.ranges)
  if (weekly) {
    return { days: patterns.weekdaysOf(weekly['weekdays']!), period: patterns.partOf(weekly) }
  }
  for (const pattern of every.intervals) {
    const found = rest.take(pattern)
    if (!found) continue
    const { n, unit } = found
    const name = patterns.unitOf(unit!)
    const count = n === undefined ? 1 : patterns.numberOf(n)
    if (name === 'day' && count === 1) return { days: everyDay }
    // The others follow the clock on the wall, for which there is no rule.
    if (name === 'day' || name === 'week') return { everyMs: 0 }
    return { everyMs: count * unitsMs[name] }
  }
  return rest.take(every.day) ? { days: everyDay } : undefined
}

function takeDate(
  rest: RestOfText,
  { dates, numberOf, monthOf, partOf }: Patterns,
): SaidDate | undefined {
  const found = rest.takeFirst(dates)
  if (!found) return undefined
  const { year, month, d } = found
  const day = {
    ...(year !== undefined && { year: Number(year) }),
    ...(month !== undefined && { month: monthOf(month) }),
    day: numberOf(d!),
  }
  return { day, period: partOf(found) }
}

function takeWeekAfter(rest: RestOfText, patterns: Patterns): SaidDate | undefined {
  for (const { pattern, weeks } of patterns.weeksAfter) {
    const found = rest.take(pattern)
    if (!found) continue
    const { n, weekday } = found
    const weeksAfter = weeks ?? (n === undefined ? 1 : patterns.numberOf(n))
    const day = { weekday: patterns.weekdaysOf(weekday!)[0]!, weeksAfter }
    return { day, period: patterns.partOf(found) }
  }
  return undefined
}

function takeDay(
  rest: RestOfText,
  { days, weekdays, laterWeekdays, weekend, weekdaysOf, partOf }: Patterns,
  date: SaidDate | undefined,
): SaidDate {
  if (date) return date
  for (const { pattern, days: count } of days) {
    if (rest.take(pattern)) return { day: { days: count } }
  }
  if (rest.take(weekend)) return { day: { weekday: 6 } }
  const said = (found: Groups, weeksLater: number) => ({
    day: { weekday: weekdaysOf(found['weekday']!)[0]!, weeksLater },
    period: partOf(found),
  })
  for (const { pattern, weeks } of laterWeekdays) {
    const found = rest.take(pattern)
    if (found) return said(found, weeks)
  }
  const found = rest.takeFirst(weekdays)
  return found ? said(found, 0) : {}
}

function takeTime(rest: RestOfText, { clocks, noon, numberOf }: Patterns): SaidTime | undefined {
  const isNoon = rest.has(noon)
  // "At noon call at seven" is at noon, and "at one at noon" an hour later.
  const isHour = (hour: number) =>
    hour <= 24 && (!isNoon || hour <= 3 || (hour >= 11 && hour <= 15))
  const minutesOf = ({ m }: Groups) => (m === undefined ? 0 : numberOf(m))
  for (const { pattern, hour: ownHour, plus, sign } of clocks) {
    const found = rest.take(pattern, (groups) => {
      const isKnown = ownHour !== undefined || isHour(numberOf(groups['h']!))
      return isKnown && minutesOf(groups) < 60
    })
    if (!found) continue
    const minute = plus + sign * minutesOf(found)
    if (ownHour !== undefined) return { minuteOfDay: ownHour * 60 + minute, isEither: false }
    const { h } = found
    const hour = numberOf(h!)
    // "07:00" is a time of 24 hours.
    const isEither = hour >= 1 && hour <= 12 && !h!.startsWith('0')
    return { minuteOfDay: (hour * 60 + minute + 24 * 60) % (24 * 60), isEither }
  }
  return rest.take(noon) ? { minuteOfDay: 12 * 60, isEither: false } : undefined
}

function takePeriod(rest: RestOfText, { periods }: Patterns): PartOfDay | undefined {
  return periods.find(({ pattern }) => rest.take(pattern))?.name
}

/** The end of `1 hour 20`. */
const minutesWithoutUnit = / (\d{1,2})[\ue000-\ue0ff]?$/

function takeDuration(
  rest: RestOfText,
  { part, numberOf, unitOf }: Patterns,
  forms: readonly RegExp[],
): Duration | undefined {
  const found = rest.takeFirst(forms)
  if (!found) return undefined
  const { h, m, duration: text = '' } = found
  const minutes = h === undefined ? 0 : numberOf(h) * 60 + numberOf(m!)
  const duration: Duration = { exactMs: minutes * minuteMs, days: 0 }
  for (const { groups } of text.matchAll(part)) {
    const { n, unit, before, half, quarter } = groups!
    const count = numberOf(n!) + (before || half ? 0.5 : quarter ? 0.25 : 0)
    const name = unitOf(unit!)
    const ms = count * unitsMs[name]
    if (ms % dayMs === 0) duration.days += ms / dayMs
    else duration.exactMs += ms
  }
  const [, minutesBehind] = minutesWithoutUnit.exec(text) ?? []
  if (minutesBehind) duration.exactMs += numberOf(minutesBehind) * minuteMs
  return duration
}

/** The part of a text that no rule has taken yet. */
export class RestOfText {
  #text: string
  /** The same in lower case, at the same places. An expression that ignores case takes longer to compile than all the rest. */
  #lower: string

  constructor(text: string) {
    const lower = text.toLowerCase()
    this.#lower = lower
    this.#text = lower.length === text.length ? text : lower
  }

  get text(): string {
    return this.#text
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#lower)
  }

  /** Takes what a pattern finds. @returns its groups. */
  take(pattern: RegExp, accepts: (groups: Groups) => boolean = () => true): Groups | undefined {
    const found = pattern.exec(this.#lower)
    if (!found || !accepts(found.groups ?? {})) return undefined
    const end = found.index + found[0].length
    // No later rule joins what was apart.
    const cut = (text: string) => `${text.slice(0, found.index)}\n${text.slice(end)}`
    this.#text = cut(this.#text)
    this.#lower = cut(this.#lower)
    return found.groups ?? {}
  }

  takeFirst(patterns: readonly RegExp[]): Groups | undefined {
    for (const pattern of patterns) {
      const found = this.take(pattern)
      if (found) return found
    }
    return undefined
  }
}
