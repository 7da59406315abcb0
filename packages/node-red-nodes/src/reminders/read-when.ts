import { compileLanguage, type Patterns, type Period } from './languages/compile.ts'
import type { ReminderLanguage, Unit } from './languages/language.ts'
import { writeDigits } from './languages/number-marks.ts'
import { nextTime, type Recurrence } from './recurrence.ts'
import { dayMs, minuteMs, startOfDay, timeOf, wallAt, weekdayOf } from './zoned-time.ts'

/** What a text says about a time. */
export interface When {
  dueMs: number
  recurrence?: Recurrence
  /** How long a timer runs. Absent if the text names a point in time. */
  durationMs?: number
  /** The rest of the text, such as `the bins`. Empty: there is none. */
  name: string
}

export interface WallClock {
  nowMs: number
  timeZone: string
}

/** The rules search a text several times. A spoken sentence is shorter. */
export const maxCharacters = 200

const unitsMs: Record<Unit, number> = {
  second: 1000,
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: dayMs,
  week: 7 * dayMs,
}
const everyDay = [0, 1, 2, 3, 4, 5, 6]
/** Of a day without a time of day. */
const dayMinute = 9 * 60
const periodMinutes: Record<Period, number> = {
  morning: 8 * 60,
  afternoon: 15 * 60,
  evening: 19 * 60,
}
const maxYears = 10

/**
 * Reads when somebody wants to be reminded, and of what: `tomorrow at 7:30 the bins`.
 * @returns `undefined` if the text says no time, or one that is past or does not exist.
 */
export function readWhen(
  text: string,
  language: ReminderLanguage,
  clock: WallClock,
): When | undefined {
  if (text.length > maxCharacters) return undefined
  const patterns = compileLanguage(language)
  const { digits, restore } = writeDigits(plainText(text), language)
  const rest = new RestOfText(digits)
  const recurrence = takeRecurrence(rest, patterns)
  const date = takeDate(rest, patterns)
  const marked = takeDuration(rest, patterns, patterns.durations)
  // The rest of "in ten minutes the Monday paper" is a name.
  const isComplete = marked !== undefined && marked.days === 0 && !recurrence
  const time = isComplete ? undefined : takeTime(rest, patterns)
  const isBare = marked === undefined && time === undefined && !recurrence
  const duration = isBare ? takeDuration(rest, patterns, patterns.looseDurations) : marked
  const period = isComplete ? undefined : takePeriod(rest, patterns)
  const day = isComplete ? undefined : (date ?? takeDay(rest, patterns))
  const name = nameOf(restore(rest.text), patterns)
  const said = { recurrence, duration, day, time, period: period ?? recurrence?.period }
  const found = resolve(said, clock)
  return found && isToCome(found.dueMs, clock) ? { ...found, name } : undefined
}

/** Whether a time is in the next ten years. */
export function isToCome(timeMs: number, { nowMs }: WallClock): boolean {
  return timeMs > nowMs && timeMs < nowMs + maxYears * 366 * dayMs
}

/** What a text says, part by part. */
interface Said {
  recurrence?: SaidRecurrence | undefined
  duration?: Duration | undefined
  day?: SaidDay | undefined
  time?: SaidTime | undefined
  period?: Period | undefined
}

interface SaidRecurrence {
  everyMs?: number
  days?: number[]
  period?: Period
}

interface Duration {
  /** Hours, minutes and seconds. */
  exactMs: number
  /** Days and weeks, which summer time makes longer or shorter. */
  days: number
}

/** A day from today on, a day of the week, or a date. */
type SaidDay =
  | { days: number }
  | { weekday: number }
  | { year?: number; month: number; day: number }

interface SaidTime {
  minuteOfDay: number
  /** Whether it may be in the morning or in the evening. */
  isEither: boolean
}

function resolve(said: Said, clock: WallClock): Omit<When, 'name'> | undefined {
  const { recurrence, duration, day, time } = said
  const { nowMs, timeZone } = clock
  if (recurrence?.everyMs !== undefined) {
    const { everyMs } = recurrence
    if (everyMs < minuteMs) return undefined
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
    const { days, exactMs } = duration
    const minute = days > 0 ? minuteIn(time, said.period) : undefined
    if (minute !== undefined) {
      return { dueMs: timeOf(startOfDay(wall) + days * dayMs + minute * minuteMs, timeZone) }
    }
    const start = days > 0 ? timeOf(wall + days * dayMs, timeZone) : nowMs
    const dueMs = start + exactMs
    return { dueMs, ...(time === undefined && { durationMs: dueMs - nowMs }) }
  }
  if (!day && !time && !said.period) return undefined
  return resolveDay(said, wall, clock)
}

/** A time of day, on a day or on the next one that fits. */
function resolveDay({ day, time, period }: Said, wall: number, { nowMs, timeZone }: WallClock) {
  const minute = minuteIn(time, period) ?? dayMinute
  const isEither = time?.isEither && !period
  // At three in the afternoon, "at seven" is in the evening. Tomorrow, it is in the morning.
  const isToday = !day || ('days' in day && day.days === 0)
  const minutes = isEither && isToday ? [minute, minute + 12 * 60] : [minute]
  const midnights = midnightsOf(day, startOfDay(wall))
  for (const midnight of midnights) {
    for (const one of minutes) {
      const dueMs = timeOf(midnight + one * minuteMs, timeZone)
      if (dueMs > nowMs) return { dueMs }
    }
  }
  return undefined
}

/** The days that a text may mean, the nearest first. */
function midnightsOf(day: SaidDay | undefined, today: number): number[] {
  if (!day) return [today, today + dayMs]
  if ('days' in day) return [today + day.days * dayMs]
  if ('weekday' in day) {
    const days = (day.weekday - weekdayOf(today) + 7) % 7
    return [today + days * dayMs, today + (days + 7) * dayMs]
  }
  const thisYear = new Date(today).getUTCFullYear()
  const years = day.year === undefined ? [thisYear, thisYear + 1] : [day.year]
  return years
    .map((year) => Date.UTC(year, day.month - 1, day.day))
    .filter((midnight) => new Date(midnight).getUTCDate() === day.day)
}

/** The minute of the day, with what the text says about morning and evening. */
function minuteIn(time: SaidTime | undefined, period: Period | undefined): number | undefined {
  if (!time) return period && periodMinutes[period]
  const hour = Math.floor(time.minuteOfDay / 60)
  if (!period || hour > 12 || !time.isEither) return time.minuteOfDay
  const half = 12 * 60
  const minute = time.minuteOfDay % half
  // Twelve at night is midnight.
  const isNight = period === 'evening' && hour === 12
  if (isNight) return minute + 2 * half
  return period === 'morning' ? minute : minute + half
}

function takeRecurrence(
  rest: RestOfText,
  { every, ...patterns }: Patterns,
): SaidRecurrence | undefined {
  if (rest.take(every.morning)) return { period: 'morning' }
  if (rest.take(every.evening)) return { period: 'evening' }
  if (rest.take(every.workday)) return { days: [1, 2, 3, 4, 5] }
  if (rest.take(every.weekend)) return { days: [0, 6] }
  const weekdays = rest.takeFirst(every.weekdays)?.['weekdays']
  if (weekdays !== undefined) return { days: patterns.weekdaysOf(weekdays) }
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

function takeDate(rest: RestOfText, { dates, numberOf, monthOf }: Patterns): SaidDay | undefined {
  const found = rest.takeFirst(dates)
  if (!found) return undefined
  const { year, month, d } = found
  return {
    ...(year !== undefined && { year: Number(year) }),
    month: monthOf(month!),
    day: numberOf(d!),
  }
}

function takeDay(rest: RestOfText, { days, weekdays, weekdaysOf }: Patterns): SaidDay | undefined {
  for (const { pattern, days: count } of days) if (rest.take(pattern)) return { days: count }
  const weekday = rest.takeFirst(weekdays)?.['weekday']
  return weekday === undefined ? undefined : { weekday: weekdaysOf(weekday)[0]! }
}

function takeTime(
  rest: RestOfText,
  { clocks, noon, midnight, numberOf }: Patterns,
): SaidTime | undefined {
  if (rest.take(noon)) return { minuteOfDay: 12 * 60, isEither: false }
  if (rest.take(midnight)) return { minuteOfDay: 24 * 60, isEither: false }
  for (const { pattern, plus, sign } of clocks) {
    const found = rest.take(pattern, ({ h, m }) => {
      const minutes = m === undefined ? 0 : numberOf(m)
      return numberOf(h!) <= 24 && minutes < 60
    })
    if (!found) continue
    const { h, m } = found
    const hour = numberOf(h!)
    const minute = plus + sign * (m === undefined ? 0 : numberOf(m))
    // "07:00" is a time of 24 hours.
    const isEither = hour >= 1 && hour <= 12 && !h!.startsWith('0')
    return { minuteOfDay: (hour * 60 + minute + 24 * 60) % (24 * 60), isEither }
  }
  return undefined
}

function takePeriod(rest: RestOfText, { periods }: Patterns): Period | undefined {
  return periods.find(({ pattern }) => rest.take(pattern))?.name
}

function takeDuration(
  rest: RestOfText,
  { part, numberOf, unitOf }: Patterns,
  forms: readonly RegExp[],
): Duration | undefined {
  const text = rest.takeText(forms)
  if (text === undefined) return undefined
  const duration: Duration = { exactMs: 0, days: 0 }
  for (const { groups } of text.matchAll(part)) {
    const { n, unit, before, half } = groups!
    const count = numberOf(n!) + (before || half ? 0.5 : 0)
    const name = unitOf(unit!)
    const ms = count * unitsMs[name]
    if (ms % dayMs === 0) duration.days += ms / dayMs
    else duration.exactMs += ms
  }
  return duration
}

/** The part of a text that no rule has taken yet. */
class RestOfText {
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

  /** Takes what a pattern finds. @returns its groups. */
  take(
    pattern: RegExp,
    accepts: (groups: Record<string, string | undefined>) => boolean = () => true,
  ): Record<string, string | undefined> | undefined {
    const found = pattern.exec(this.#lower)
    if (!found || !accepts(found.groups ?? {})) return undefined
    const end = found.index + found[0].length
    // No later rule joins what was apart.
    const cut = (text: string) => `${text.slice(0, found.index)}\n${text.slice(end)}`
    this.#text = cut(this.#text)
    this.#lower = cut(this.#lower)
    return found.groups ?? {}
  }

  takeFirst(patterns: readonly RegExp[]): Record<string, string | undefined> | undefined {
    for (const pattern of patterns) {
      const found = this.take(pattern)
      if (found) return found
    }
    return undefined
  }

  takeText(patterns: readonly RegExp[]): string | undefined {
    for (const pattern of patterns) {
      const found = pattern.exec(this.#lower)?.[0]
      if (found !== undefined && this.take(pattern)) return found
    }
    return undefined
  }
}

/** One line, with digits that are not full-width. The letter between an ISO date and its time is no word. */
function plainText(text: string): string {
  const plain = text.normalize('NFKC').replace(/(?<=\d)T(?=\d)/g, ' ')
  return plain.replace(/[\s\ue000-\uf8ff]+/gu, ' ').trim()
}

const edge = /^[\s,.;:!?、。，！？-]+|[\s,.;:!?、。，！？-]+$/gu

/** What remains of a text as the name of a reminder, without words such as `remind me of`. */
export function nameOf(text: string, { before, after, language }: Patterns): string {
  let name = text.replaceAll('\n', language.hasSpaces ? ' ' : '').replace(/ +/g, ' ')
  for (let last = ''; last !== name; ) {
    last = name
    name = name.replace(edge, '').replace(before, '').replace(edge, '').replace(after, '')
  }
  return name
}
