import type { PartOfDay, ReminderLanguage } from '../../grammars/reminder-language.ts'
import { dayMark, mark, wholeMark, withoutMarks, writeDigits } from './number-marks.ts'

export const periodNames = [
  'morning',
  'noon',
  'afternoon',
  'evening',
  'night',
] as const satisfies PartOfDay[]

export const unitNames = ['second', 'minute', 'hour', 'day', 'week'] as const

/** The expressions of a language, and how its forms become regular expressions. */
export type Vocabulary = ReturnType<typeof createVocabulary>

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
export function createVocabulary(language: ReminderLanguage) {
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
