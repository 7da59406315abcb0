import type { Word } from '../word.ts'
import type { Language } from './language.ts'

/** After them, a name without a full stop is a word: "la mer - dim". */
const article = /^(?:la|le|el|il|un|une|una|un')$/i
const dash = /^[-–—]$/

/** "Mo - Fr", "lun.-ven.", "mai - août": the words of a range of days or months, with the marks around them. */
export function spellRangeOfNames(
  language: Language,
  words: readonly Word[],
  last: Word | undefined,
): readonly string[] | undefined {
  const [first, middle, third] = words
  const { before, text, after } = first!
  const pair = /^(\p{L}{2,12})\.?[-–—](\p{L}{2,12})$/u.exec(text)
  const isApart = /^\.?$/.test(after) && dash.test(middle?.written ?? '') && third?.before === ''
  const [start, end] = pair ? pair.slice(1) : isApart ? [text, third!.text] : []
  if (!start || !end) return undefined
  const isWord = !after.startsWith('.') && language.alsoWords.has(`${start.toLowerCase()}.`)
  if (isWord && article.test(last?.text ?? '')) return undefined
  const names =
    readBoth(start, end, (name) => weekdayOf(language, name)) ??
    readBoth(start, end, (name) => monthOf(language, name))
  if (!names) return undefined
  const [from, to] = names
  const length = pair ? 1 : 3
  const marks = words[length - 1]!.after
  const closing = words.length > length ? marks.replace('.', '') : marks
  return pair
    ? [`${before}${from} ${language.words.to} ${to}${closing}`]
    : [before + from, language.words.to, to + closing]
}

function readBoth(start: string, end: string, read: (name: string) => string | undefined) {
  const [from, to] = [read(start), read(end)]
  return from && to ? [from, to] : undefined
}

function weekdayOf({ weekdays }: Language, name: string): string | undefined {
  const names = [...weekdays.values()]
  return [name, name.toLowerCase()]
    .map((one) => weekdays.get(one) ?? names.find((weekday) => weekday === one))
    .find((weekday) => weekday !== undefined)
}

function monthOf({ months, abbreviations }: Language, name: string): string | undefined {
  const full = abbreviations.get(`${name}.`) ?? name
  return months.find((month) => month.toLowerCase() === full.toLowerCase())
}

export function isMonth(language: Language, name: string): boolean {
  return monthOf(language, name) !== undefined
}
