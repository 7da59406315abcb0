import type {
  ClockForm,
  PartOfDay,
  ReminderLanguage,
  Unit,
} from '../../grammars/reminder-language.ts'
import { furtherClock, furtherTimes, secondClocks } from './further-times.ts'
import { readDigits, withoutMarks } from './number-marks.ts'
import { createVocabulary, periodNames, unitNames, type Vocabulary } from './vocabulary.ts'

/** What the groups of an expression have found. */
export type Groups = Readonly<Record<string, string | undefined>>

interface Clock {
  pattern: RegExp
  hour?: number | undefined
  plus: number
  sign: 1 | -1
}

/** The regular expressions of a language. */
export interface Patterns {
  language: ReminderLanguage
  durations: RegExp[]
  /** How long a timer runs. */
  timerDurations: RegExp[]
  looseDurations: RegExp[]
  /** A duration before a word such as `before`. */
  relativeDuration: RegExp
  /** A duration behind a word such as `by`. */
  durationsBy: RegExp[]
  /** A duration behind a word such as `to`. */
  durationFromNow: RegExp
  /** A part of a duration. */
  part: RegExp
  clocks: Clock[]
  newClocks: Clock[]
  oldClocks: Clock[]
  /** A time of day beside one that has been taken: `at 8 and at 9`. */
  secondClocks: RegExp[]
  /** Any other time beside one that has been taken: `every morning and evening`. */
  furtherTimes: RegExp[]
  /** A further duration, or an hour, behind one that has been taken: `and in twenty minutes`. */
  furtherDurations: RegExp[]
  /** A further day behind one that has been taken: `and Sunday`. */
  secondWeekday: RegExp
  /** A further recurrence: `and every Friday`. */
  secondRecurrence: RegExp
  noon: RegExp
  thisDay: RegExp
  periods: { name: PartOfDay; pattern: RegExp }[]
  days: { pattern: RegExp; days: number }[]
  weekdays: RegExp[]
  laterWeekdays: { pattern: RegExp; weeks: number }[]
  weeksAfter: { pattern: RegExp; weeks?: number | undefined }[]
  weekend: RegExp
  dates: RegExp[]
  newDates: RegExp[]
  every: {
    day: RegExp
    workday: RegExp
    weekend: RegExp
    parts: { name: PartOfDay; pattern: RegExp }[]
    weekdays: RegExp[]
    ranges: RegExp[]
    irregular: RegExp[]
    exceptWeekdays: RegExp
    exceptWeekends: RegExp
    intervals: RegExp[]
  }
  before: RegExp
  after: RegExp
  commands: Record<
    | 'cancel'
    | 'task'
    | 'kinds'
    | 'all'
    | 'except'
    | 'question'
    | 'list'
    | 'from'
    | 'change'
    | 'later'
    | 'extend'
    | 'earlier',
    RegExp
  > & {
    cancelEnd?: RegExp
    changeEnd?: RegExp
    never?: RegExp
  }
  numberOf(text: string): number
  unitOf(text: string): Unit
  /** The part of the day that the groups have found. */
  partOf(groups: Groups): PartOfDay | undefined
  /** The days that a list names. */
  weekdaysOf(text: string): number[]
  monthOf(text: string): number
}

const compiled = new Map<ReminderLanguage, Patterns>()

/** Compiles the words of a language, once. */
export function compileLanguage(language: ReminderLanguage): Patterns {
  const known = compiled.get(language)
  if (known) return known
  const patterns = compile(language)
  compiled.set(language, patterns)
  return patterns
}

function compile(language: ReminderLanguage): Patterns {
  const vocabulary = createVocabulary(language)
  const { find, part } = vocabulary
  const { recurrences } = language
  return {
    language,
    durations: language.durationForms.map(find),
    timerDurations: language.timerForms.map(find),
    looseDurations: [...language.looseDurationForms, '{duration}'].map(find),
    relativeDuration: find(`{duration} ?(?:${language.relativeTo})`),
    durationsBy: language.byForms.map(find),
    durationFromNow: find(`(?:${language.to}) {duration}`),
    part,
    clocks: compileClocks(allClocks(language), find),
    newClocks: compileClocks(language.newClockForms, find),
    oldClocks: compileClocks(language.oldClockForms, find),
    secondClocks: secondClocks(language).map(find),
    furtherTimes: furtherTimes(language).map(find),
    furtherDurations: [...language.durationForms, furtherClock(language)].map((form) =>
      find(`(?<=\n ?(?:${language.further}) ?)(?:${form})`),
    ),
    secondWeekday: find(`(?<=\\n[\\n ]*(?:${language.and}) ?)(?:${recurrences.again})?{weekday}`),
    secondRecurrence: find(`(?<=(?:${language.and}) ?)(?:${recurrences.again}){weekday}`),
    noon: find(language.noon),
    thisDay: find(language.thisDay),
    periods: periodNames.map((name) => ({ name, pattern: find(language[name]) })),
    days: language.days.map(({ word, days }) => ({ pattern: find(word), days })),
    weekdays: language.weekdayForms.map(find),
    laterWeekdays: language.laterWeekdayForms.map(({ form, weeks }) => ({
      pattern: find(form),
      weeks,
    })),
    weeksAfter: language.weeksAfterForms.map(({ form, weeks }) => ({ pattern: find(form), weeks })),
    weekend: find(language.weekend),
    dates: ['(?<year>\\d{4})-(?<month>\\d\\d)-(?<d>\\d\\d)', ...language.dateForms].map(find),
    newDates: language.newDateForms.map(find),
    every: compileRecurrences(recurrences, find),
    before: beginning(language.before, vocabulary),
    after: new RegExp(`${vocabulary.start}(?:${language.after}) *$`, 'iu'),
    commands: compileCommands(language, vocabulary),
    ...createReaders(language, vocabulary.amounts),
  }
}

/** What is at the beginning of a text, which has its original letters here. */
function beginning(form: string, { end }: Vocabulary): RegExp {
  // A word follows an apostrophe without a blank, and a form that only looks at what follows.
  return new RegExp(`^ *(?:${form})(?:(?<=['’]|^ *)|${end})`, 'iu')
}

function compileCommands(language: ReminderLanguage, vocabulary: Vocabulary): Patterns['commands'] {
  const { commands, hasSpaces } = language
  const command = (form: string) =>
    hasSpaces ? beginning(form, vocabulary) : new RegExp(form, 'iu')
  const ending = (form: string) => new RegExp(`${vocabulary.start}(?:${form})[ ,.!?]*$`, 'iu')
  return {
    cancel: command(commands.cancel),
    task: command(commands.task),
    // German joins it to the name: "Teetimer".
    kinds: new RegExp(commands.kinds + vocabulary.end, 'iu'),
    ...(commands.cancelEnd && { cancelEnd: ending(commands.cancelEnd) }),
    all: command(commands.all),
    except: command(commands.except),
    question: command(commands.question),
    list: command(commands.list),
    from: new RegExp(commands.from, 'iu'),
    change: command(commands.change),
    ...(commands.changeEnd && { changeEnd: ending(commands.changeEnd) }),
    later: command(commands.later),
    extend: command(commands.extend),
    earlier: command(commands.earlier),
    ...(commands.never && { never: command(commands.never) }),
  }
}

function compileRecurrences(
  recurrences: ReminderLanguage['recurrences'],
  find: (form: string) => RegExp,
): Patterns['every'] {
  return {
    day: find(recurrences.everyDay),
    workday: find(recurrences.workdays),
    weekend: find(recurrences.weekends),
    parts: periodNames.flatMap((name) => {
      const form = recurrences.everyPart[name]
      return form === undefined ? [] : [{ name, pattern: find(form) }]
    }),
    weekdays: recurrences.everyWeekday.map(find),
    ranges: recurrences.everyRange.map(find),
    irregular: recurrences.irregular.map(find),
    exceptWeekdays: find(recurrences.exceptWeekdays),
    exceptWeekends: find(recurrences.exceptWeekends),
    intervals: recurrences.interval.map(find),
  }
}

function allClocks({ clockBefore, clockAfter, clockForms, midnight }: ReminderLanguage) {
  const digits = `${clockBefore}{h}[:.](?<m>[0-5]\\d)(?![.:]?\\d)${clockAfter}`
  const named = clockForms.filter(({ hour }) => hour !== undefined)
  const numbered = clockForms.filter(({ hour }) => hour === undefined)
  // "Quarter to midnight" before "midnight".
  return [...named, { form: midnight, hour: 24 }, { form: digits }, ...numbered]
}

function compileClocks(forms: readonly ClockForm[], find: (form: string) => RegExp): Clock[] {
  return forms.map(({ form, hour, plus = 0, sign = 1 }) => ({
    pattern: find(form),
    hour,
    plus,
    sign,
  }))
}

/** Reads what the groups of the expressions have found. */
function createReaders(language: ReminderLanguage, amounts: Readonly<Record<string, number>>) {
  const { weekdays, months, units, recurrences } = language
  const names = (list: readonly string[]) => list.map((name) => new RegExp(`^(?:${name})s?$`))
  const monthNames = names(months)
  const weekdayNames = weekdays.map((name) => new RegExp(name, 'g'))
  const through = new RegExp(`^s? ?(?:${recurrences.through}|[-–]) ?$`)
  const indexIn = (list: readonly RegExp[], text: string) => list.findIndex((one) => one.test(text))
  const unitPatterns = unitNames.map((name) => new RegExp(`^(?:${units[name]})$`))
  return {
    numberOf: (text: string) => amounts[withoutMarks(text)] ?? readDigits(text),
    unitOf: (text: string) => unitNames[indexIn(unitPatterns, text)]!,
    partOf: (groups: Groups) => periodNames.find((name) => groups[name] !== undefined),
    weekdaysOf(text: string) {
      const all = weekdayNames.flatMap((name, day) =>
        [...text.matchAll(name)].map((found) => ({
          day,
          start: found.index,
          end: found.index + found[0].length,
        })),
      )
      all.sort((one, other) => one.start - other.start)
      const days = new Set<number>()
      for (const [index, { day, start }] of all.entries()) {
        const before = all[index - 1]
        const isRange = before && through.test(text.slice(before.end, start))
        for (let one = isRange ? before.day : day; one !== day; one = (one + 1) % 7) days.add(one)
        days.add(day)
      }
      return [...days].sort()
    },
    monthOf: (text: string) => readDigits(text) || indexIn(monthNames, text) + 1,
  }
}
