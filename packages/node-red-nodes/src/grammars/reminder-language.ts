/**
 * The words of a language for times, as parts of regular expressions, in lower case. A form contains placeholders, each at most
 * once:
 *
 * - `{n}`: an amount, such as `2`, `1.5` or one of `amounts`; `{unit}`: the name of a unit.
 * - `{h}`: an hour; `{m}`: a minute.
 * - `{d}`: a day of the month; `{month}`: a name of `months`, or a number if there are none; `{year}`: four digits. Without a
 *   month, the day is in the month in which it comes next.
 * - `{weekday}`: a name of `weekdays`; `{weekdays}`: one or several of them, each also with an `s` behind it; `{range}`: a first
 *   and a last one, such as `Monday to Friday`, which may also be among `{weekdays}`.
 * - `{part}`: a name of `partsOfDay` behind a day, or nothing.
 * - `{duration}`: up to four amounts with their units, such as `1 hour and 10 minutes`.
 * - `{mark}`: follows a number in digits that the form itself contains, because numbers in words have become digits with a mark.
 *
 * Capture groups would be confused with those of the placeholders, so a form has only two of its own, in place of the placeholder
 * of the same name: `(?<month>…)` for a month in digits, and `(?<unit>…)` for the unit of an interval without a number.
 */
export interface ReminderLanguage {
  /** Whether words are separated by blanks. */
  hasSpaces: boolean
  /** Numbers in words. */
  numbers: Readonly<Record<string, number>>
  /** Days of the month in words, which are no hours or amounts: `der erste`. */
  ordinals?: Readonly<Record<string, number>>
  /** Amounts that are only said before a unit, such as `half an`. */
  amounts: Readonly<Record<string, number>>
  /** The names of the units. */
  units: Readonly<Record<Unit, string>>
  /** Stands between an amount and its unit, and says nothing: `ten more minutes`. */
  more: string
  /** What adds a half of a unit, before it and behind it. */
  halfBefore: string
  andHalf: string
  /** What adds a quarter of a unit, behind it. */
  andQuarter: string
  /** Stands between the parts of a duration. */
  and: string
  /** Stands before a further time, which the same reminder cannot have: `at 7 or 8`. A comma does not: `tomorrow, at 8`. */
  further: string
  /** A part of the day as such a time: `every morning and evening`. */
  furtherPart: string
  /** What makes a point in time of a duration, which may also be `{h}` hours and `{m}` minutes without their unit. */
  durationForms: readonly string[]
  /** The same for how long a timer runs: `Timer auf zehn Minuten`. */
  timerForms: readonly string[]
  /** What may also belong to the name, if the text has another time: `at seven walk for ten minutes`. */
  looseDurationForms: readonly string[]
  /** Stands between a duration and what it counts from, which is no time of day: `ten minutes before the meeting`. */
  relativeTo: string
  /** By how much a command moves a reminder: `postpone the tea by 2 h`, which is no time of day. */
  byForms: readonly string[]
  /** Makes a point in time of a duration in a command: `change the tea to ten minutes`. */
  to: string
  /** Stand around a time of day in digits. */
  clockBefore: string
  clockAfter: string
  clockForms: readonly ClockForm[]
  /** The same in a command that changes a reminder: `change the alarm to 8`. */
  newClockForms: readonly ClockForm[]
  /** The same in a text about one that is due then: `from seven`, `my eight alarm`. */
  oldClockForms: readonly ClockForm[]
  noon: string
  midnight: string
  morning: string
  afternoon: string
  evening: string
  /** Begins in the evening, and ends in the morning after its day. */
  night: string
  /** Those parts of a day that are today: `tonight`. */
  thisDay: string
  /** The parts of the day as they follow the name of a day: `Friday evening`. */
  partsOfDay?: Readonly<Partial<Record<PartOfDay, string>>>
  /** Today, tomorrow and the day after, longest first. */
  days: readonly { word: string; days: number }[]
  /** The names of the days, Sunday first, and forms around a day that comes once. */
  weekdays: readonly string[]
  weekdayForms: readonly string[]
  /** Forms around a day of a later week, which begins on Monday. */
  laterWeekdayForms: readonly { form: string; weeks: number }[]
  /** Forms around a day, `{n}` weeks after it comes next, or one: `Friday week`. */
  weeksAfterForms: readonly { form: string; weeks?: number }[]
  /** The weekend that comes next, as a name of its first day. */
  weekend: string
  /** January first. Empty: months are numbers. */
  months: readonly string[]
  dateForms: readonly string[]
  /** The same in a command that changes a reminder: `move the dentist to March first`. */
  newDateForms: readonly string[]
  recurrences: {
    everyDay: string
    workdays: string
    weekends: string
    /** A part of every day. */
    everyPart: Readonly<Partial<Record<PartOfDay, string>>>
    /** Forms with `{weekdays}`: one or several. */
    everyWeekday: readonly string[]
    /** Forms with `{range}`. */
    everyRange: readonly string[]
    /** Stands between the first and the last day of these. */
    through: string
    /** What may stand before a further day: `every Monday and every Thursday`. */
    again: string
    /** The days of a recurrence that are left out. One form contains `{weekdays}`, the other is about the weekend. */
    exceptWeekdays: string
    exceptWeekends: string
    /** Recurrences for which there is no rule, such as `every other Monday`. */
    irregular: readonly string[]
    /** Forms with `{n}` and `{unit}`. */
    interval: readonly string[]
  }
  /** What is not part of the name, at the beginning and at the end of the rest of the text. */
  before: string
  after: string
  commands: {
    cancel: string
    /** Those of `cancel` that are also about other things: with a time, `stop the dryer in ten minutes` is a reminder. */
    task: string
    /** The words for reminders. With one of them, it is none. */
    kinds: string
    /** The end of a command to cancel of two parts: `turn all alarms off`. */
    cancelEnd?: string
    /** All reminders. They are only wanted if no name follows. */
    all: string
    /** All but some. The name that follows is of one that nobody wants to cancel. */
    except: string
    /** A text that begins like this asks for the reminders, also if it names a time. Where it may be anywhere, `never` does not apply. */
    question: string
    list: string
    /** When a reminder is due before a command changes it, behind a word such as `from`. */
    from: string
    change: string
    /** The end of a command to change of two parts: `kannst du den Wecker auf acht ändern`. */
    changeEnd?: string
    /** Those of `change` that move a reminder, by a duration or only once: `postpone the tea by ten minutes`. */
    later: string
    /** Those of `later` that make a timer longer, which still runs: `add ten minutes to the timer`. */
    extend: string
    /** The same as `later`, to an earlier time. It may also match that. */
    earlier: string
    /** Words of a reminder that may be about such a command. Needed if the command is not at the beginning of a sentence. */
    never?: string
  }
  sentences: Sentences
}

/** A time of day. */
export interface ClockForm {
  form: string
  /** The hour of a form without `{h}`. */
  hour?: number
  /** Minutes that the form adds to the hour. */
  plus?: number
  /** Whether `{m}` is added or taken away. */
  sign?: 1 | -1
}

export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week'

/** What a reminder says. `{name}`, `{time}`, `{left}` and `{list}` are replaced. */
export interface Sentences {
  /** The names of a timer and of a reminder that have no name of their own. */
  timer: string
  reminder: string
  set: string
  due: string
  /** What a reminder without a name says: the time of day. */
  now: string
  half: string
  late: string
  left: string
  cancelled: string
  cancelledAll: string
  none: string
  unknown: string
  which: string
  tomorrow: string
  everyDay: string
  /** How often a reminder comes that has an interval. */
  every: string
}
