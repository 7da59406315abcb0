import type { ReminderLanguage } from '../../grammars/reminder-language.ts'
import { wholeMark } from './number-marks.ts'
import { periodNames } from './vocabulary.ts'

/** Forms of a time of day behind and before one that has been taken. */
export function secondClocks(language: ReminderLanguage): string[] {
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
export function furtherTimes(language: ReminderLanguage): string[] {
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
export function furtherClock({ hasSpaces, clockBefore }: ReminderLanguage): string {
  return hasSpaces ? `${clockBefore.replace(/\?$/, '')}\\d{1,2}${wholeMark}` : '(?!)'
}
