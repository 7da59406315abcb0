import { dayMs, minuteMs, startOfDay, timeOf, wallAt, weekdayOf } from './zoned-time.ts'

/** When a reminder comes again. */
export type Recurrence =
  | { everyMs: number }
  /** Days of the week, 0 is Sunday, and the minute of the day on the clock on the wall. Midnight, at the end of a day, is minute 1440. */
  | { days: number[]; minuteOfDay: number }

/** The first time after another one. @param dueMs when the reminder was due, from which intervals count. */
export function nextTime(
  recurrence: Recurrence,
  { dueMs, afterMs, timeZone }: { dueMs: number; afterMs: number; timeZone: string },
): number {
  if ('everyMs' in recurrence) {
    const { everyMs } = recurrence
    const passed = Math.floor((afterMs - dueMs) / everyMs) + 1
    return dueMs + Math.max(1, passed) * everyMs
  }
  const { days, minuteOfDay } = recurrence
  const today = startOfDay(wallAt(afterMs, timeZone))
  // From yesterday on: a time that the clock skips may be on the next day.
  for (let day = -1; ; day++) {
    const wall = today + day * dayMs
    if (!days.includes(weekdayOf(wall))) continue
    const time = timeOf(wall + minuteOfDay * minuteMs, timeZone)
    if (time > afterMs) return time
  }
}

/** The same days at another time: at the minute of the day that is nearest to the usual one. An interval stays as it is. */
export function atOtherTime(recurrence: Recurrence, minutesOfDay: readonly number[]): Recurrence {
  if ('everyMs' in recurrence) return recurrence
  const { days, minuteOfDay } = recurrence
  const wholeDay = 24 * 60
  const distanceTo = (minute: number) => {
    const distance = Math.abs(minute - minuteOfDay) % wholeDay
    return Math.min(distance, wholeDay - distance)
  }
  const nearestFirst = [...minutesOfDay].sort((a, b) => distanceTo(a) - distanceTo(b))
  return { days, minuteOfDay: nearestFirst[0] ?? minuteOfDay }
}

/** The last time that is not after another one, and the next one. */
export function lastAndNext(
  recurrence: Recurrence,
  { dueMs, nowMs, timeZone }: { dueMs: number; nowMs: number; timeZone: string },
): { lastMs: number; nextMs: number } {
  const nextMs = nextTime(recurrence, { dueMs, afterMs: nowMs, timeZone })
  if ('everyMs' in recurrence) return { lastMs: nextMs - recurrence.everyMs, nextMs }
  let lastMs = dueMs
  // A week is longer than every gap between two times, also when the clock changes.
  for (let time = Math.max(dueMs, nowMs - 8 * dayMs); time <= nowMs; ) {
    time = nextTime(recurrence, { dueMs, afterMs: time, timeZone })
    if (time <= nowMs) lastMs = time
  }
  return { lastMs, nextMs }
}

/** Whether a value from a file is a recurrence: one that never comes would be searched for ever. */
export function isRecurrence(value: unknown): value is Recurrence {
  const { everyMs, days, minuteOfDay } = (value ?? {}) as Record<string, unknown>
  if (typeof everyMs === 'number') return everyMs >= minuteMs && Number.isFinite(everyMs)
  // "Every night at twelve" is on the day after.
  const isMinute = Number.isInteger(minuteOfDay) && Math.abs(Number(minuteOfDay)) < 2 * 24 * 60
  const isDay = (day: unknown) => Number.isInteger(day) && Number(day) >= 0 && Number(day) < 7
  return Array.isArray(days) && days.length > 0 && days.length <= 7 && days.every(isDay) && isMinute
}
