import { fullYear } from '../numeric-dates.ts'
import type { Language, LanguageRule } from './language.ts'

/** "18:30 Uhr", "7h30", "7 h 30", "18.30 Uhr", "8:00–17:30", "18-20 Uhr". */
export const spellTime: LanguageRule = (rest) => spellOneOclock(rest) ?? spellTimeOrRange(rest)

/** "alle 1:00", "a las 1:30". */
const spellOneOclock: LanguageRule = ({ language, words }) => {
  const starts = [2, 1].map((length) => words.slice(0, length).join(' ').toLowerCase())
  const start = starts.find((one) => Object.hasOwn(language.oneOclock ?? {}, one))
  const length = start?.split(' ').length ?? 0
  const [written = '', next = ''] = words.slice(length)
  if (start === undefined || !/^0?1[:.]\d{2}$/.test(written)) return undefined
  const isNamed = language.afterTime.test(next)
  const time = readTime(language, written, start, true)
  return [
    language.oneOclock![start]! + time,
    ...Array<string>(length).fill(''),
    ...(isNamed ? [''] : []),
  ]
}

const spellTimeOrRange: LanguageRule = ({ language, words, before }) => {
  const [word = '', next = '', third = ''] = words
  const isNamed = language.afterTime.test(next)
  const isOclock = next === language.oclock
  const said = isNamed ? [''] : []
  if (language.readsPairs && /^\d{1,2}$/.test(word) && next === 'h') {
    const minutes = /^\d{2}$/.test(third) ? third : '0'
    const spoken = readTime(language, `${word}:${minutes.padStart(2, '0')}`, before, true)
    return spoken === undefined ? undefined : [spoken, '', ...(minutes === third ? [''] : [])]
  }
  const spoken = readTime(language, word, before, isNamed, isOclock)
  if (spoken !== undefined) return [spoken, ...said]
  const [from = '', to = '', more] = word.split(/[-–—]/)
  if (to === '' || more !== undefined) return undefined
  const end = readTime(language, to, '', isNamed, isOclock)
  const start = readTime(language, from, before, isNamed, isOclock)
  if (end === undefined || start === undefined) return undefined
  // "achtzehn bis zwanzig Uhr"
  const isShort = /^\d{1,2}$/.test(from)
  return [`${isShort ? start.split(' ')[0] : start} ${language.words.to} ${end}`, ...said]
}

/**
 * @param isNamed whether a word after it says that it is a time: "18.30 h".
 * @param isOclock whether hours alone are a time: "18 Uhr".
 */
function readTime(
  language: Language,
  written: string,
  before: string,
  isNamed: boolean,
  isOclock = false,
): string | undefined {
  const [, hours = '', minutes = '00', seconds] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}))?h?$/.exec(written) ??
    /^(\d{1,2})h(\d{2})?$/.exec(written) ??
    (isOclock ? /^(\d{1,2})$/.exec(written) : undefined) ??
    (isNamed || isClockWord(before) ? /^(\d{1,2})\.(\d{2})$/.exec(written) : undefined) ??
    []
  if (hours === '' || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds ?? 0) > 59)
    return undefined
  const time = language.time(Number(hours), Number(minutes), before)
  if (seconds === undefined) return time
  const { singular, plural, gender } = language.words.seconds
  const count = Number(seconds)
  return `${time} ${language.signs['&']} ${language.cardinal(count, gender)} ${count === 1 ? singular : plural}`
}

/** "alle 18.30": without such a word, it is a decimal number. */
function isClockWord(before: string): boolean {
  return /^(?:alle|dalle|ore|all'|um|gegen|à|las)$/i.test(before)
}

const articleBeforeDate = /^(?:am|vom|zum|de[mnr]|le|du|au|il|del|dal|al|el)$/i
const beforeVersions =
  /^(?:versi(?:on|one|ón)|firmware|release|update|build|kernel|jour|aggiornamento|actualización)$/i

/** "1.4.12" is the version of a program, unless the word before says something else. */
function isVersion(word: string, before: string): boolean {
  if (beforeVersions.test(before)) return /^\d{1,2}\.\d{1,2}\.\d+$/.test(word)
  return /^(?:\d\.\d{1,2}|\d\d\.\d)\.\d\d$/.test(word) && !articleBeforeDate.test(before)
}

/** "24.12.2026", "24.12.", "24/12/2026", "2026-12-24", "24. Dezember 2026", "le 24 décembre". */
export const spellDate: LanguageRule = ({ language, words, before, after, goesOn }) => {
  const [word = '', next = ''] = words
  const dotted = word.includes('/')
    ? /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/
    : /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}|\d{2}))?$/
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word)
  const [, day = '', month = '', year] = iso
    ? [word, iso[3], iso[2], iso[1]]
    : (dotted.exec(word) ?? [])
  const name = language.months[Number(month) - 1]
  // "24/7"
  const isAlways = word === '24/7' && !articleBeforeDate.test(before)
  if (isAlways || isVersion(word, before)) return undefined
  if (name && Number(day) >= 1 && Number(day) <= 31) {
    // "24.12" may be a number, and "3/4" a fraction.
    const isCertain =
      year !== undefined ||
      (language.ordinalMark.test('.') ? after.startsWith('.') : Number(day) > 9)
    if (!isCertain || (year === undefined && words.length > 1)) return undefined
    const full = year === undefined ? undefined : Number(fullYear(year))
    return [language.date(Number(day), name, full, before)]
  }
  const isMonthNext = language.months.includes(next.toLowerCase())
  if (isMonthNext && word === '1' && !language.ordinalMark.test('.')) {
    return [language.date(1, '', undefined, before).split(' ')[0]!]
  }
  const isStop = after.startsWith('.') && words.length === 1 && goesOn
  if (isStop || !/^\d{4}$/.test(word) || !language.year) return undefined
  return language.months.some((month) => month.toLowerCase() === before.toLowerCase())
    ? [language.year(Number(word))]
    : undefined
}

/** "3. Stock", "1er étage", "2º piano", "3.ª planta". */
export const spellOrdinal: LanguageRule = ({ language, words, before, after, goesOn }) => {
  const [word = ''] = words
  const [, digits = '', mark = ''] = /^(\d{1,4})([^\d,]{0,4})$/.exec(word) ?? []
  const isEnd = !goesOn && !/^(?:am|zum|vom|dem|den|der)$/i.test(before)
  const isStop = mark === '' && words.length === 1 && after === '.' && !isEnd && digits.length < 3
  if (
    digits === '' ||
    Number(digits) === 0 ||
    !language.ordinalMark.test(mark || (isStop ? '.' : ''))
  )
    return undefined
  // "21 °" is not an ordinal, "21°" is one in Italian only before a noun.
  const isScale = /^[CF]$/.test(words[1] ?? '')
  const isDegree = mark === '°' && (words.length < 2 || isScale || Number(digits) > 12)
  return isDegree ? undefined : [language.ordinal(Number(digits), mark, before)]
}
