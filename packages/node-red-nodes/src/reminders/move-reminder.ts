import type { DueTime } from './parsing/resolve-when.ts'
import type { Duration } from './parsing/said-when.ts'
import { atOtherTime, nextTime } from './recurrence.ts'
import type { Reminder } from './reminder.ts'
import { halfTimeOf } from './reminders.ts'
import { minuteMs, startOfDay, timeAfter, timeOf, wallAt } from './zoned-time.ts'

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

/** What a text says about another time of a reminder. */
type OtherTime = Pick<DueTime, 'dueMs' | 'minutesOfDay' | 'isDayOnly'>

/** Moves a reminder that repeats to another time: the last one, if that is nearer than the next one. */
export function moveOnce(reminder: Reminder, when: OtherTime, nowMs: number): Reminder {
  const { saidMs } = reminder
  if (saidMs !== undefined) {
    const again = withItsOwn({ ...reminder, dueMs: saidMs }, when)
    const isNearer = again - saidMs < reminder.dueMs - again
    if (again > nowMs && isNearer) return move(reminder, { dueMs: again, isLast: true, nowMs })
  }
  return move(reminder, { dueMs: movedTo(reminder, when, nowMs), isLast: false, nowMs })
}

/**
 * The times of a reminder that repeats, after it has moved to another time of day. `undefined` if the text also says a day, or
 * says a duration: that is about one of the times only.
 */
export function otherTimes(
  { recurrence, timeZone }: Reminder,
  { dueMs, minutesOfDay }: OtherTime,
  nowMs: number,
): Pick<DueTime, 'dueMs' | 'recurrence'> | undefined {
  if (!recurrence || !minutesOfDay) return undefined
  const moved = atOtherTime(recurrence, minutesOfDay)
  if ('everyMs' in moved) return { dueMs, recurrence: moved }
  return { dueMs: nextTime(moved, { dueMs, afterMs: nowMs, timeZone }), recurrence: moved }
}

/**
 * When a reminder is due that moves: to another time of day, on its day and in its half of the day, or to another day, at its time
 * of day. A text that says both, or a time that is over, means its own.
 */
export function movedTo(reminder: Reminder, when: OtherTime, nowMs: number): number {
  if (reminder.durationMs !== undefined) return when.dueMs
  const moved = withItsOwn(reminder, when)
  return moved > nowMs ? moved : when.dueMs
}

/** The time that a text says, with what it leaves out: the day of the reminder, or its time of day. */
function withItsOwn(
  { dueMs, timeZone }: Pick<Reminder, 'dueMs' | 'timeZone'>,
  when: OtherTime,
): number {
  const wall = wallAt(dueMs, timeZone)
  const midnight = startOfDay(wall)
  if (when.isDayOnly) {
    return timeOf(startOfDay(wallAt(when.dueMs, timeZone)) + wall - midnight, timeZone)
  }
  if (!when.minutesOfDay) return when.dueMs
  const distanceTo = (minute: number) => Math.abs(minute * minuteMs - (wall - midnight))
  const [nearest = 0] = [...when.minutesOfDay].sort((a, b) => distanceTo(a) - distanceTo(b))
  return timeOf(midnight + nearest * minuteMs, timeZone)
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
