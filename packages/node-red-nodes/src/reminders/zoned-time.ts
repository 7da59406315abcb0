/**
 * A reading of the clock on the wall, as the milliseconds that UTC has at the same reading: days can be added to it without a
 * thought of summer time.
 */
export type WallMs = number

export const dayMs = 24 * 60 * 60_000
export const minuteMs = 60_000

// Making one takes longer than all the rest.
const formats = new Map<string, Intl.DateTimeFormat>()

/** The time zone of this machine, such as `Europe/Berlin`. */
export function machineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** What the clock on the wall shows at a time, in whole seconds. */
export function wallAt(timeMs: number, timeZone: string): WallMs {
  const parts = formatOf(timeZone).formatToParts(timeMs)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const day = [read('year'), read('month') - 1, read('day')] as const
  return Date.UTC(...day, read('hour'), read('minute'), read('second'))
}

/**
 * The time at which the clock on the wall shows a reading. Of a reading that comes twice, when the clock goes back, this is the
 * first one. One that the clock skips, when it goes forward, is as much later: half past two becomes half past three.
 */
export function timeOf(wall: WallMs, timeZone: string): number {
  const offsetAt = (timeMs: number) => wallAt(timeMs, timeZone) - timeMs
  const before = wall - offsetAt(wall - dayMs)
  const after = wall - offsetAt(wall + dayMs)
  const first = Math.min(before, after)
  const fitting = [first, Math.max(before, after)].find((time) => wallAt(time, timeZone) === wall)
  return fitting ?? before
}

/** The time that is later by a duration. Its days follow the clock on the wall, also when that changes. */
export function timeAfter(
  timeMs: number,
  { days, exactMs }: { days: number; exactMs: number },
  timeZone: string,
): number {
  const start = days === 0 ? timeMs : timeOf(wallAt(timeMs, timeZone) + days * dayMs, timeZone)
  return start + exactMs
}

/** The midnight with which the day of a reading begins. */
export function startOfDay(wall: WallMs): WallMs {
  return Math.floor(wall / dayMs) * dayMs
}

/** The day of the week, 0 is Sunday. */
export function weekdayOf(wall: WallMs): number {
  return new Date(wall).getUTCDay()
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
