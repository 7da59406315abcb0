import type { PartOfDay } from '../grammars/reminder-language.ts'
import type { SaidText } from './parsing/read-when.ts'
import { midnightsOf, minutesOf, type WallClock } from './parsing/resolve-when.ts'
import { everyDay, type SaidDay, type SaidWhen } from './parsing/said-when.ts'
import type { Recurrence } from './recurrence.ts'
import type { Reminder } from './reminder.ts'
import { dayMs, minuteMs, startOfDay, wallAt } from './zoned-time.ts'

/**
 * Finds reminders by the whole name or the id, or else by words of the name: a recogniser hears an article or an ending more or
 * less. Without a name, all are meant.
 */
export function remindersNamed(all: readonly Reminder[], name: string): Reminder[] {
  if (name === '') return [...all]
  const wanted = name.toLowerCase()
  const exact = all.filter((one) => one.id === name || one.name.toLowerCase() === wanted)
  if (exact.length > 0) return exact
  return all.filter((one) => {
    const own = one.name.toLowerCase()
    return own !== '' && (containsWord(own, wanted) || containsWord(wanted, own))
  })
}

/** Whether a part is at the beginning of a word: "Pizza" is in "Pizzatimer", but "last" is not in "plastic". */
function containsWord(text: string, part: string): boolean {
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + 1)) {
    if (index === 0 || !withinWord.test(text.slice(index - 1, index + 1))) return true
  }
  return false
}

/** Two characters of one word. Scripts without upper and lower case have no blanks between words, or write an article with its word. */
const withinWord = /^[\p{LC}\p{M}\p{N}]{2}$/u

/** Finds reminders by their time, as a text says it: `the alarm for tomorrow`, `the ten minute timer`. */
export function remindersAt(
  all: readonly Reminder[],
  { said, name }: SaidText,
  { nowMs }: WallClock,
): Reminder[] {
  return remindersNamed(all, name).filter((one) => isDueAt(one, said, nowMs))
}

function isDueAt(reminder: Reminder, said: SaidWhen, nowMs: number): boolean {
  const { durationMs, recurrence, timeZone } = reminder
  const { duration, day } = said
  if (said.isFromNow) return isDueIn(duration, reminder, nowMs)
  if (duration && durationMs !== duration.exactMs + duration.days * dayMs) return false
  if (said.recurrence && !repeatsAs(said.recurrence, recurrence)) return false
  const days = daysOf(reminder, said)
  if (!day) return days.length > 0
  // "The alarm for tomorrow" is not the one for every day, which would no longer come at all.
  if (recurrence && !isOnlyDay(day, recurrence)) return false
  const meant = midnightsOf(day, startOfDay(wallAt(nowMs, timeZone)))
  return days.some((midnight) => meant.includes(midnight))
}

/** "The reminder in two days" says which one. "Stop the timer in ten minutes" says when. */
function isDueIn(
  duration: SaidWhen['duration'],
  { dueMs, timeZone }: Reminder,
  nowMs: number,
): boolean {
  if (!duration || duration.days === 0 || duration.exactMs > 0) return false
  const dayOf = (timeMs: number) => startOfDay(wallAt(timeMs, timeZone))
  return dayOf(dueMs) === dayOf(nowMs) + duration.days * dayMs
}

function repeatsAs(said: NonNullable<SaidWhen['recurrence']>, own: Recurrence | undefined) {
  if (!own) return false
  if ('everyMs' in own) return own.everyMs === said.everyMs
  return said.everyMs === undefined && own.days.join() === (said.days ?? everyDay).join()
}

function isOnlyDay(day: SaidDay, recurrence: Recurrence): boolean {
  return 'weekday' in day && 'days' in recurrence && recurrence.days.join() === `${day.weekday}`
}

/** The hours of a part of the day. */
const partHours: Record<PartOfDay, readonly [from: number, to: number]> = {
  morning: [0, 12],
  noon: [11, 15],
  afternoon: [12, 19],
  evening: [17, 24],
  night: [17, 24],
}

/** The day of a reminder, if it is due at the time that a text says. Two o'clock in the night belongs to the day before, too. */
function daysOf({ dueMs, timeZone }: Reminder, said: SaidWhen): number[] {
  const wall = wallAt(dueMs, timeZone)
  const midnight = startOfDay(wall)
  const minuteOfDay = Math.floor((wall - midnight) / minuteMs)
  const { time, period } = said
  if (time) {
    const fitting = minutesOf(said).filter((minute) => minute % (24 * 60) === minuteOfDay)
    return fitting.map((minute) => midnight - Math.floor(minute / (24 * 60)) * dayMs)
  }
  const [from, to] = period ? partHours[period] : [0, 24]
  return minuteOfDay >= from * 60 && minuteOfDay < to * 60 ? [midnight] : []
}
