import { reminderLanguage } from '../grammars/by-language.ts'
import type { Sentences } from '../grammars/reminder-language.ts'
import type { Recurrence } from './recurrence.ts'
import type { Reminder, ReminderEvent } from './reminder.ts'
import { dayMs, startOfDay, wallAt } from './zoned-time.ts'

/** The person to whom a sentence is said. */
export interface Listener {
  /** A language such as `de-AT`. */
  language: string
  timeZone: string
  nowMs: number
}

type SentenceName = Exclude<keyof Sentences, 'timer' | 'reminder' | 'tomorrow' | 'everyDay'>

/** A sentence in the language of the person. */
export function sayTo(
  { language }: Pick<Listener, 'language'>,
  sentence: SentenceName,
  values: Record<string, string> = {},
): string {
  const form = reminderLanguage(language).sentences[sentence]
  const text = form.replace(/\{(\w+)\}/g, (_match, key) => values[key] ?? '')
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** What a reminder says when it is due, late, or when half of its time is over. */
export function dueSentence(reminder: Reminder, event: ReminderEvent, nowMs: number): string {
  const listener = { ...reminder, nowMs }
  const name = titleOf(reminder)
  if (event === 'half') {
    return sayTo(listener, 'half', { name, left: durationText(reminder.dueMs - nowMs, listener) })
  }
  if (event === 'late') {
    return sayTo(listener, 'late', { name, time: pointText(reminder.dueMs, listener) })
  }
  if (reminder.name !== '') return reminder.name
  return reminder.durationMs === undefined
    ? sayTo(listener, 'now', { time: pointText(reminder.dueMs, listener) })
    : sayTo(listener, 'due', { time: timeText(reminder, listener) })
}

/** The name of a reminder, or `Timer` or `Reminder`. */
export function titleOf({
  name,
  language,
  durationMs,
}: Pick<Reminder, 'name' | 'language' | 'durationMs'>): string {
  const { timer, reminder } = reminderLanguage(language).sentences
  return name || (durationMs === undefined ? reminder : timer)
}

/** When a reminder is due: how long the timer runs, the days on which it comes, or a point in time. */
export function timeText(
  { durationMs, recurrence, dueMs }: Pick<Reminder, 'durationMs' | 'recurrence' | 'dueMs'>,
  listener: Listener,
): string {
  if (recurrence) return recurrenceText(recurrence, dueMs, listener)
  return durationMs === undefined || durationMs >= dayMs
    ? pointText(dueMs, listener)
    : durationText(durationMs, listener)
}

function recurrenceText(recurrence: Recurrence, dueMs: number, listener: Listener): string {
  if ('everyMs' in recurrence) {
    return sayTo(listener, 'every', { time: durationText(recurrence.everyMs, listener) })
  }
  const { language } = listener
  const { days } = recurrence
  const dayNames = days.map((day) =>
    // The first of January 2023 was a Sunday.
    format(language, 'UTC', { weekday: 'long' }).format(Date.UTC(2023, 0, 1 + day)),
  )
  const { everyDay } = reminderLanguage(language).sentences
  const list = days.length === 7 ? everyDay : new Intl.ListFormat(language).format(dayNames)
  return `${list}, ${clockText(dueMs, listener)}`
}

/** A point in time, with as much of its date as it needs. */
export function pointText(timeMs: number, listener: Listener): string {
  const { language, timeZone, nowMs } = listener
  const clock = clockText(timeMs, listener)
  const today = startOfDay(wallAt(nowMs, timeZone))
  const days = (startOfDay(wallAt(timeMs, timeZone)) - today) / dayMs
  if (days === 0) return clock
  if (days === 1) return `${reminderLanguage(language).sentences.tomorrow}, ${clock}`
  const isNear = days > 1 && days < 7
  const date = isNear ? { weekday: 'long' as const } : { dateStyle: 'long' as const }
  return `${format(language, timeZone, date).format(timeMs)}, ${clock}`
}

function clockText(timeMs: number, { language, timeZone }: Listener): string {
  return format(language, timeZone, { hour: 'numeric', minute: '2-digit' }).format(timeMs)
}

/** A duration in its two largest units, such as `1 hour 30 minutes`. */
function durationText(durationMs: number, { language }: Pick<Listener, 'language'>): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  const isLong = seconds >= 10 * 60
  const total = isLong ? 60 * Math.round(seconds / 60) : seconds
  const parts = [
    ['day', Math.floor(total / 86_400)],
    ['hour', Math.floor((total % 86_400) / 3600)],
    ['minute', Math.floor((total % 3600) / 60)],
    ['second', total % 60],
  ] as const
  const used = parts.filter(([, count]) => count > 0).slice(0, 2)
  const texts = (used.length > 0 ? used : [['second', 0] as const]).map(([unit, count]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return texts.join(reminderLanguage(language).hasSpaces ? ' ' : '')
}

/** What is left of a reminder. */
export function leftText({ dueMs }: Reminder, { nowMs, ...listener }: Listener): string {
  return dueMs - nowMs < dayMs
    ? durationText(dueMs - nowMs, listener)
    : pointText(dueMs, { ...listener, nowMs })
}

function format(language: string, timeZone: string, options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(language, { ...options, timeZone })
}
