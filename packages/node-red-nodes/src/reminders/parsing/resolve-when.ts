import type { PartOfDay } from '../../grammars/reminder-language.ts'
import { nextTime, type Recurrence } from '../recurrence.ts'
import {
  dayMs,
  minuteMs,
  startOfDay,
  timeAfter,
  timeOf,
  type WallMs,
  wallAt,
  weekdayOf,
} from '../zoned-time.ts'
import { type Duration, everyDay, type SaidDay, type SaidTime, type SaidWhen } from './said-when.ts'

export interface WallClock {
  nowMs: number
  timeZone: string
}

/** When a reminder is due, and when it comes again. */
export interface DueTime {
  dueMs: number
  recurrence?: Recurrence
  /** How long a timer runs. Absent if the text names a point in time. */
  durationMs?: number
  /** The same, if no word says from when it counts: `ten minutes`, `by ten minutes`. */
  amount?: Duration
  /** What a time of day may mean for one that repeats: in the morning or in the evening. Only if the text names no day. */
  minutesOfDay?: number[]
}

/** A day without a time of day means this minute. */
const dayMinute = 9 * 60
const periodMinutes: Record<PartOfDay, number> = {
  morning: 8 * 60,
  noon: 12 * 60,
  afternoon: 15 * 60,
  evening: 19 * 60,
  night: 19 * 60,
}
/** Twelve and the hours up to this one are after midnight, on the next day. */
const lastHours: Partial<Record<PartOfDay, number>> = { evening: 0, night: 5 }
const maxYears = 10
/** How long before it somebody means midnight by "at twelve". */
const maxBeforeMidnightMs = 3 * 60 * minuteMs

/** Whether a time is in the next ten years. */
export function isToCome(timeMs: number, { nowMs }: Pick<WallClock, 'nowMs'>): boolean {
  return timeMs > nowMs && timeMs < nowMs + maxYears * 366 * dayMs
}

/** Whether no reminder can be what a text says. */
export function isImpossible({ isUnsupported, recurrence, duration, day }: SaidWhen): boolean {
  if (isUnsupported) return true
  if (recurrence) return recurrence.everyMs !== undefined && recurrence.everyMs < minuteMs
  return day !== undefined && duration !== undefined && !dayAfter(day, duration)
}

/**
 * The time that a text means now.
 * @returns nothing if the text says no time, or only one that is past or does not exist.
 */
export function resolveWhen(said: SaidWhen, clock: WallClock): DueTime | undefined {
  const { recurrence, duration, isAmount, day, time } = said
  const { nowMs, timeZone } = clock
  if (recurrence?.everyMs !== undefined) {
    const { everyMs } = recurrence
    return { dueMs: nowMs + everyMs, recurrence: { everyMs } }
  }
  if (recurrence) {
    const found = {
      days: recurrence.days ?? everyDay,
      minuteOfDay: minuteIn(time, said.period) ?? dayMinute,
    }
    return { dueMs: nextTime(found, { dueMs: nowMs, afterMs: nowMs, timeZone }), recurrence: found }
  }
  const wall = wallAt(nowMs, timeZone)
  if (duration && !day) {
    const { days } = duration
    const minute = days > 0 ? minuteIn(time, said.period) : undefined
    if (minute !== undefined) {
      return { dueMs: timeOf(startOfDay(wall) + days * dayMs + minute * minuteMs, timeZone) }
    }
    const dueMs = timeAfter(nowMs, duration, timeZone)
    const length = { durationMs: dueMs - nowMs, ...(isAmount && { amount: duration }) }
    return { dueMs, ...(time === undefined && length) }
  }
  if (!day && !time && !said.period) return undefined
  const later = day && duration ? dayAfter(day, duration) : day
  const found = resolveDay({ ...said, day: later }, wall, clock)
  return found && { ...found, ...(!day && !said.isThisDay && { minutesOfDay: minutesOf(said) }) }
}

/**
 * The days that a text may mean which names a day and no time of day: their midnights, the earliest first. None is over.
 * @returns an empty list for any other text.
 */
export function resolveDays(said: SaidWhen, { nowMs, timeZone }: WallClock): WallMs[] {
  const { recurrence, duration, day, time, period } = said
  const later = day && duration ? dayAfter(day, duration) : day
  if (!later || recurrence || time || period) return []
  const isOpen = (midnight: WallMs) => isToCome(timeOf(midnight + dayMs, timeZone), { nowMs })
  const open = midnightsOf(later, startOfDay(wallAt(nowMs, timeZone))).filter(isOpen)
  // A date is not one of the next year because the time of a reminder is over on it.
  return 'weekday' in later ? open : open.slice(0, 1)
}

/** `tomorrow in a week`, or in which week a day is: `in two weeks on Monday`. */
function dayAfter(day: SaidDay, { days, exactMs }: Duration): SaidDay | undefined {
  if (exactMs > 0) return undefined
  if ('days' in day) return { days: day.days + days }
  const isWeeks = 'weekday' in day && !day.weeksLater && !day.weeksAfter && days % 7 === 0
  return isWeeks ? { ...day, weeksLater: days / 7 } : undefined
}

/** A time of day, on a day or on the next one that fits. */
function resolveDay(said: SaidWhen, wall: WallMs, { nowMs, timeZone }: WallClock) {
  const { day } = said
  const [minute = dayMinute, ...inEvening] = minutesOf(said)
  // At three in the afternoon, "at seven" is in the evening. Tomorrow, it is in the morning.
  const isToday = !day || ('days' in day && day.days === 0)
  const minutes = [minute, ...(isToday ? inEvening : [])]
  const midnights = midnightsOf(day, startOfDay(wall))
  for (const midnight of midnights) {
    for (const one of minutes) {
      const dueMs = timeOf(midnight + one * minuteMs, timeZone)
      // Twelve is noon, except late in the evening.
      const isFarMidnight =
        one >= 24 * 60 && inEvening.length > 0 && dueMs - nowMs > maxBeforeMidnightMs
      if (dueMs > nowMs && !isFarMidnight) return { dueMs }
    }
  }
  return undefined
}

/** The days that a text may mean, the earliest first: the night of a day that is over may not be. */
export function midnightsOf(day: SaidDay | undefined, today: WallMs): WallMs[] {
  if (!day) return [today - dayMs, today, today + dayMs]
  if ('days' in day) return [...(day.days === 0 ? [today - dayMs] : []), today + day.days * dayMs]
  if ('weekday' in day) {
    if (day.weeksLater) {
      const sinceMonday = (one: number) => (one + 6) % 7
      const days = 7 * day.weeksLater - sinceMonday(weekdayOf(today)) + sinceMonday(day.weekday)
      return [today + days * dayMs]
    }
    const days = (day.weekday - weekdayOf(today) + 7) % 7
    // A week from Monday is never today, but the night of a day that is over may not be.
    if (day.weeksAfter) return [today + ((days || 7) + 7 * day.weeksAfter) * dayMs]
    return [days - 7, days, days + 7].map((since) => today + since * dayMs)
  }
  const { month } = day
  const thisYear = new Date(today).getUTCFullYear()
  if (month === undefined) {
    // The 31st may be two months away.
    const months = [-1, 0, 1, 2].map((since) => new Date(today).getUTCMonth() + since)
    return datesOf(
      day.day,
      months.map((one) => Date.UTC(thisYear, one, day.day)),
    )
  }
  if (month < 1 || month > 12) return []
  // The next February 29 may be eight years away.
  const near = Array.from({ length: 10 }, (_, index) => thisYear - 1 + index)
  const years = day.year === undefined ? near : [day.year]
  return datesOf(
    day.day,
    years.map((year) => Date.UTC(year, month - 1, day.day)),
  )
}

/** The midnights without those of a month that has no such day. */
function datesOf(day: number, midnights: WallMs[]): WallMs[] {
  return midnights.filter((midnight) => new Date(midnight).getUTCDate() === day)
}

/** The minutes of the day that a text may mean, such as 7:30 in the morning and in the evening. */
export function minutesOf({ time, period }: SaidWhen): number[] {
  const minute = minuteIn(time, period)
  if (minute === undefined) return []
  return time?.isEither && !period ? [minute, minute + 12 * 60] : [minute]
}

/** The minute of the day, with what the text says about morning and evening. */
function minuteIn(time: SaidTime | undefined, period: PartOfDay | undefined): number | undefined {
  if (!time) return period && periodMinutes[period]
  const hour = Math.floor(time.minuteOfDay / 60)
  if (!period || hour > 12 || !time.isEither) return time.minuteOfDay
  const half = 12 * 60
  const minute = time.minuteOfDay % half
  if (hour % 12 <= (lastHours[period] ?? -1)) return minute + 2 * half
  const isBefore = period === 'morning' || (period === 'noon' && minute >= half / 2)
  return isBefore ? minute : minute + half
}
