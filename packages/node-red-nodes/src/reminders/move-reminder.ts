import { type DueTime, isToCome } from './parsing/resolve-when.ts'
import type { Duration } from './parsing/said-when.ts'
import { atOtherTime, nextTime } from './recurrence.ts'
import { halfTimeOf, type Reminder } from './reminder.ts'
import { minuteMs, startOfDay, timeAfter, timeOf, type WallMs, wallAt } from './zoned-time.ts'

/** A reminder that was said less than this long ago may still sound: somebody then postpones it, and not the next one. */
export const soundsMs = 15 * minuteMs

/** Whether a duration postpones a reminder. Otherwise, it moves it to an earlier time. */
export const isLater = ({ days, exactMs }: Duration) => days + exactMs > 0

/** Moves a reminder from when it is due, or from now if it has just been said: a later one of one that repeats then comes as usual. */
export function moveBy(reminder: Reminder, by: Duration, nowMs: number): Reminder {
  const { saidMs, timeZone } = reminder
  const isLast = isLater(by) && saidMs !== undefined && nowMs - saidMs < soundsMs
  const dueMs = Math.max(timeAfter(isLast ? nowMs : reminder.dueMs, by, timeZone), nowMs)
  return move(reminder, { dueMs, isLast, nowMs })
}

/** Moves one time of a reminder that repeats: the last one, if the new time is nearer to that one than to the next one. */
export function moveOnce(reminder: Reminder, dueMs: number, nowMs: number): Reminder {
  return move(reminder, { dueMs, isLast: isNearerToLast(reminder, dueMs), nowMs })
}

function isNearerToLast({ saidMs, dueMs }: Reminder, timeMs: number): boolean {
  return saidMs !== undefined && timeMs - saidMs < dueMs - timeMs
}

/**
 * The times of a reminder that repeats, after it has moved to another time of day. `undefined` if the text also says a day, or
 * says a duration: that is about one of the times only.
 */
export function otherTimes(
  { recurrence, timeZone }: Reminder,
  { dueMs, minutesOfDay }: DueTime,
  nowMs: number,
): Pick<DueTime, 'dueMs' | 'recurrence'> | undefined {
  if (!recurrence || !minutesOfDay) return undefined
  const others = atOtherTime(recurrence, minutesOfDay)
  if ('everyMs' in others) return { dueMs, recurrence: others }
  return { dueMs: nextTime(others, { dueMs, afterMs: nowMs, timeZone }), recurrence: others }
}

/**
 * When a reminder is due that moves to another time of day: on its day, or on that of the last time of one that repeats if that is
 * nearer, and in its half of the day. A text that also says a day, or a time that is over, means its own.
 */
export function dueAtTimeMs(reminder: Reminder, when: DueTime, nowMs: number): number {
  const { durationMs, dueMs, saidMs, timeZone } = reminder
  const { minutesOfDay } = when
  if (durationMs !== undefined || !minutesOfDay) return when.dueMs
  const onDayOf = (timeMs: number) => nearestOnDayOf(timeMs, minutesOfDay, timeZone)
  const againMs = saidMs === undefined ? 0 : onDayOf(saidMs)
  if (againMs > nowMs && isNearerToLast(reminder, againMs)) return againMs
  const movedMs = onDayOf(dueMs)
  return movedMs > nowMs ? movedMs : when.dueMs
}

/** The minute of the day that is nearest to a time, on its day: after midnight is another day than before it. */
function nearestOnDayOf(timeMs: number, minutesOfDay: number[], timeZone: string): number {
  const wall = wallAt(timeMs, timeZone)
  const midnight = startOfDay(wall)
  const distanceTo = (minute: number) => Math.abs(minute * minuteMs - (wall - midnight))
  const [nearest = 0] = [...minutesOfDay].sort((a, b) => distanceTo(a) - distanceTo(b))
  return timeOf(midnight + nearest * minuteMs, timeZone)
}

/**
 * When a reminder is due that moves to a day, and keeps its time of day: on the first of the days on which that is to come. One that
 * is due today rather moves to another day.
 * @param days as in a {@link ReminderCommand}.
 * @returns nothing if it would be over on each of them.
 */
export function dueOnDayMs(
  { dueMs, timeZone }: Reminder,
  days: readonly WallMs[],
  nowMs: number,
): number | undefined {
  const wall = wallAt(dueMs, timeZone)
  const sinceMidnightMs = wall - startOfDay(wall)
  const times = days
    .map((midnight) => timeOf(midnight + sinceMidnightMs, timeZone))
    .filter((timeMs) => isToCome(timeMs, { nowMs }))
  const isToday = startOfDay(wall) === startOfDay(wallAt(nowMs, timeZone))
  const otherMs = isToday ? times.find((timeMs) => timeMs !== dueMs) : undefined
  return otherMs ?? times[0]
}

/** @param to `isLast`: it is the one that was said last that comes again; the next one comes as usual. */
function move(
  { saidMs: _saidMs, half, ...reminder }: Reminder,
  { dueMs, isLast, nowMs }: { dueMs: number; isLast: boolean; nowMs: number },
): Reminder {
  const { durationMs, setMs } = reminder
  return {
    ...reminder,
    dueMs,
    ...(durationMs !== undefined && { durationMs: durationMs + dueMs - reminder.dueMs }),
    ...(half && halfTimeOf({ setMs, dueMs }) > nowMs && { half }),
    ...usualTime(reminder, isLast),
  }
}

/** When one that repeats comes as usual after it has moved. */
function usualTime({ recurrence, dueMs, nextMs, timeZone }: Reminder, isLast: boolean) {
  if (!recurrence || nextMs !== undefined) return {}
  const skipped = { dueMs, afterMs: dueMs, timeZone }
  return { nextMs: isLast ? dueMs : nextTime(recurrence, skipped) }
}
