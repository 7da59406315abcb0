import type { PartOfDay } from '../../grammars/reminder-language.ts'

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
export type SaidDate = Pick<SaidWhen, 'day' | 'period'>

export interface SaidRecurrence {
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
