import type { PartOfDay, Unit } from '../../grammars/reminder-language.ts'
import { dayMs, minuteMs } from '../zoned-time.ts'
import type { Groups, Patterns } from './compile-language.ts'
import type { RestOfText } from './rest-of-text.ts'
import {
  type Duration,
  everyDay,
  type SaidDate,
  type SaidRecurrence,
  type SaidTime,
  type SaidWhen,
} from './said-when.ts'

const unitsMs: Record<Unit, number> = {
  second: 1000,
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: dayMs,
  week: 7 * dayMs,
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

/**
 * Takes what is about a time out of a text: one rule after the other, and each searches only what the rules before it have left.
 *
 * The order matters, because what the rules find overlaps:
 *
 * 1. Recurrences come before days: `every Monday` contains `Monday`.
 * 2. Dates come before times of day: the German `am 4.12.` contains `4.12`, which is also a time.
 * 3. Durations from now come before times of day: in `in ten minutes call at eight`, the time is part of the name.
 * 4. Times of day come before parts of the day: `p.m.` is one only behind a time that was taken.
 * 5. Parts of the day come before days: the `morning` of `tomorrow morning` is one only behind `tomorrow`.
 * 6. Other durations come last: in `tomorrow walk for two hours`, the duration is part of the name.
 */
export function takeWhen(
  rest: RestOfText,
  patterns: Patterns,
  change: ChangeOfTime = {},
): SaidWhen {
  const by = change.isMove ? takeDuration(rest, patterns, patterns.durationsBy) : undefined
  // The rest of "by two hours the Monday paper" is a name.
  if (by) return { duration: by, isAmount: true }
  const recurrence = takeRecurrence(rest, patterns, change)
  const date = takeDate(rest, patterns, change) ?? takeWeekAfter(rest, patterns)
  const marked = takeMarkedDuration(rest, patterns)
  // The rest of "in ten minutes the Monday paper" is a name.
  if (marked.duration?.days === 0 && !recurrence) {
    return { ...marked, isUnsupported: rest.hasAny(patterns.furtherDurations) }
  }
  const time = takeTime(rest, patterns, change)
  const hasSecondTime = time !== undefined && rest.hasAny(patterns.secondClocks)
  const recursTwice =
    recurrence !== undefined && rest.hasAny([patterns.secondRecurrence, patterns.secondWeekday])
  const isBare = !marked.duration && !time && !recurrence
  const toDuration = isBare
    ? takeDuration(rest, patterns, [patterns.durationFromNow])
    : marked.duration
  // A rule that only looks comes before the one that takes the same words.
  const isThisDay = rest.has(patterns.thisDay)
  const period = takePeriod(rest, patterns)
  const named = date ?? takeDay(rest, patterns)
  const isOnTwoDays = named.day !== undefined && rest.has(patterns.secondWeekday)
  const isAmount = isBare && toDuration === undefined && !named.day
  const isRelative = isAmount && rest.has(patterns.relativeDuration)
  const duration = isAmount ? takeDuration(rest, patterns, patterns.looseDurations) : toDuration
  const isTwice = hasSecondTime || recursTwice || isOnTwoDays || rest.hasAny(patterns.furtherTimes)
  return {
    recurrence,
    duration,
    isFromNow: marked.isFromNow,
    isAmount,
    isUnsupported: isTwice || (isRelative && !change.isMove),
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
  { isChange }: ChangeOfTime,
): SaidRecurrence | undefined {
  const { every, weekdaysOf } = patterns
  // "Move the meeting from Monday to Friday" is no recurrence.
  const isOtherDay = isChange && rest.hasAny(every.ranges)
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
  { dates, newDates, numberOf, monthOf, partOf }: Patterns,
  { isChange }: ChangeOfTime,
): SaidDate | undefined {
  const found = rest.takeFirst(isChange ? [...newDates, ...dates] : dates)
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
): SaidDate {
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

function takeTime(
  rest: RestOfText,
  { clocks, newClocks, oldClocks, noon, numberOf }: Patterns,
  { isChange, isOld }: ChangeOfTime,
): SaidTime | undefined {
  const allClocks = [...clocks, ...(isChange ? newClocks : []), ...(isOld ? oldClocks : [])]
  const isNoon = rest.has(noon)
  // "At noon call at seven" is at noon, and "at one at noon" an hour later.
  const isHour = (hour: number) =>
    hour <= 24 && (!isNoon || hour <= 3 || (hour >= 11 && hour <= 15))
  const minutesOf = ({ m }: Groups) => (m === undefined ? 0 : numberOf(m))
  for (const { pattern, hour: ownHour, plus, sign } of allClocks) {
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

/** A duration with a word that says from when it counts, or that it is that of a timer. */
function takeMarkedDuration(
  rest: RestOfText,
  patterns: Patterns,
): Pick<SaidWhen, 'duration' | 'isFromNow'> {
  const fromNow = takeDuration(rest, patterns, patterns.durations)
  const duration = fromNow ?? takeDuration(rest, patterns, patterns.timerDurations)
  return { duration, isFromNow: fromNow !== undefined }
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
