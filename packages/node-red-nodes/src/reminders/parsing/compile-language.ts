import type {
  ClockForm,
  PartOfDay,
  ReminderLanguage,
  Unit,
} from '../../grammars/reminder-language.ts'
import { dayMark, mark, readDigits, wholeMark, withoutMarks, writeDigits } from './number-marks.ts'

const unitNames = ['second', 'minute', 'hour', 'day', 'week'] as const

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

const periodNames = [
  'morning',
  'noon',
  'afternoon',
  'evening',
  'night',
] as const satisfies PartOfDay[]

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

type Vocabulary = ReturnType<typeof createVocabulary>

/**
 * The expressions of numbers, amounts and units, of which those of the forms are made.
 *
 * An example: `remind me tomorrow at half past seven of the bins`, at 16:00.
 *
 * 1. `writeDigits` makes digits of the number in words: `… at half past 7# of the bins`. The mark, here `#`, is a character of
 *    its own that says which words it was; the expression `mark` matches any of them.
 * 2. English has the form `(?:at |by )?half past {h}`, which adds 30 minutes. `find` puts the expression of an hour in place of
 *    `{h}`, and the limits of words around the form:
 *    `(?<![\p{L}\p{N}])(?:(?:at |by )?half past (?<h>\d{1,2}<mark>?(?!<digit or mark>)))(?![\p{L}\p{N}])`.
 * 3. `takeWhen` takes `at half past 7#` out of the text, whose group `h` is `7#`, and then `tomorrow`. `numberOf` reads 7, so
 *    the text says 7:30, in the morning or in the evening, and one day later: `{ time: { minuteOfDay: 450, isEither: true },
 *    day: { days: 1 } }`.
 * 4. The rest is `remind me`, two line breaks where something was taken, and `of the bins`. `nameOf` removes what `before` of
 *    the language finds, `remind me of`: the name is `the bins`.
 * 5. `resolveWhen` calculates the time: tomorrow means the first of both halves of the day, 7:30 in the morning.
 */
function createVocabulary(language: ReminderLanguage) {
  const { hasSpaces, units, and, partsOfDay } = language
  const amounts: Record<string, number> = {}
  for (const [words, value] of Object.entries(language.amounts)) {
    amounts[withoutMarks(writeDigits(words, language).digits)] = value
  }
  const words = anyOf(Object.keys(amounts)).replace(/\d+/g, `$&${mark}`)
  // The number is whole: what follows it may say that it is no time.
  const number = `\\d{1,2}${wholeMark}`
  const amount = `\\d{1,4}(?:[.,]\\d{1,2})?${mark}${words && `|${words}`}`
  const unit = unitNames.map((name) => units[name]).join('|')
  const start = hasSpaces ? '(?<![\\p{L}\\p{N}])' : ''
  const end = hasSpaces ? '(?![\\p{L}\\p{N}])' : ''
  const part = (isNamed: boolean) => {
    const group = (name: string, body: string) => (isNamed ? `(?<${name}>${body})` : `(?:${body})`)
    const before = group('before', `(?:${language.halfBefore}) ?`)
    const half = group('half', ` ?(?:${language.andHalf})`)
    const quarter = group('quarter', ` ?(?:${language.andQuarter})`)
    const count = `${group('n', amount)} *(?:(?:${language.more}) )?${before}?`
    return `${count}${group('unit', unit)}${end}(?:${half}|${quarter})?`
  }
  const weekday = language.weekdays.join('|')
  const through = ` ?(?:${language.recurrences.through}|[-–]) ?`
  const weekdays = `(?:${weekday})s?(?:${through}(?:${weekday})s?)?`
  const between = ` ?(?:${and})? ?`
  // Without their unit, minutes end the text, or a word such as "for" follows them.
  const minutes = hasSpaces
    ? `(?:(?<=${units.hour})${between}[0-5]?\\d${wholeMark}(?= *(?:$|[,.!?\\n]| (?:${language.after})${end})))?`
    : ''
  const placeholders: Record<string, string> = {
    mark,
    h: `(?<h>${number})`,
    m: `(?<m>${number})`,
    n: `(?<n>${amount})`,
    d: `(?<d>\\d{1,2}${dayMark}(?![\\d\\ue000-\\ue1ff]))`,
    unit: `(?<unit>${unit})`,
    year: '(?<year>\\d{4})',
    month: `(?<month>${language.months.join('|') || number})`,
    part: partsOfDay ? `(?: ?(?:${partGroups(partsOfDay)}))?` : '',
    weekday: `(?<weekday>${weekday})`,
    weekdays: `(?<weekdays>${weekdays}(?:${between}(?:${language.recurrences.again})?${weekdays}){0,6})`,
    range: `(?<weekdays>(?:${weekday})s?${through}(?:${weekday})s?)`,
    duration: `(?<duration>(?:${part(false)})(?:${between}(?:${part(false)})){0,3}${minutes})`,
  }
  const fill = (form: string) => form.replace(/\{([a-z]+)\}/g, (_, name) => placeholders[name]!)
  return {
    amounts,
    start,
    end,
    part: new RegExp(start + part(true), 'gu'),
    find(form: string) {
      // A form that ends with a look at what follows has its own end.
      const hasOwnEnd = /\(\?=[^()]*(?:\([^()]*\)[^()]*)*\)$/.test(form)
      return new RegExp(`${start}(?:${fill(form)})${hasOwnEnd ? '' : end}`, 'u')
    },
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

/** Forms of a time of day behind and before one that has been taken. */
function secondClocks(language: ReminderLanguage): string[] {
  const { and, clockBefore, clockForms, noon, midnight } = language
  const digits = `${clockBefore}{h}[:.][0-5]\\d`
  const all = [noon, midnight, digits, ...clockForms.map(({ form }) => form)].join('|')
  // Nothing reads their groups, of which there would be several of the same name.
  const clock = `(?:${all.replace(/\{[hm]\}/g, '\\d{1,2}{mark}')})`
  const part = `(?:${periodNames.map((name) => language[name]).join('|')})`
  return [
    `(?<=\n[\n ]*)(?:${part} ?)?(?:${and}) ?(?:${part} ?)?${clock}`,
    `${clock}(?: ?${part})? ?(?:${and})(?= ?\n)`,
  ]
}

/** Forms of any time beside one that has been taken, and of two such times in place of one. */
function furtherTimes(language: ReminderLanguage): string[] {
  const { hasSpaces, further, furtherPart: part, clockBefore, days, weekdays } = language
  const ownClock = furtherClock(language)
  const anyUnit = Object.values(language.units).join('|')
  const day = [...days.map(({ word }) => word), ...weekdays].join('|')
  // Elsewhere, a word follows the number of an hour: "和十个人" is no time.
  const hour = hasSpaces ? `${clockBefore}\\d{1,2}${wholeMark}` : '(?!)'
  const time = `(?:${hour}|${part}|${day})`
  const join = ` ?(?:${further})`
  // "Buy bread tomorrow and two litres of milk" says one time. In three languages, an article is also a number.
  const bareHour = `${hour}(?= *(?:$|[,.!?\\n]|${anyUnit}))`
  const behind = `(?<=\n[\n ]*(?:${further}) ?)`
  return [
    `${behind}(?:${ownClock}|${part}|${day})`,
    `${behind}${bareHour}`,
    `${time}${join}(?= ?\n)`,
    `(?<=\n${join} ?)(?=\n)`,
    `(?<=\n[\n ]*)(?:${part})${join} ?(?:${part})`,
    `(?<=\n, ?)${hour},?${join} ?${hour}`,
  ]
}

/** The form of an hour with the word before it: `at 8`. */
function furtherClock({ hasSpaces, clockBefore }: ReminderLanguage): string {
  return hasSpaces ? `${clockBefore.replace(/\?$/, '')}\\d{1,2}${wholeMark}` : '(?!)'
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

/** A group for each part of the day. */
function partGroups(parts: NonNullable<ReminderLanguage['partsOfDay']>): string {
  return Object.entries(parts)
    .map(([name, words]) => `(?<${name}>${words})`)
    .join('|')
}

/** Longer words first: `twenty-five` begins with `twenty`. */
function anyOf(words: readonly string[]): string {
  return [...words].sort((one, other) => other.length - one.length).join('|')
}
