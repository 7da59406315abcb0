import { languageOf } from '@parlando/core/text'
import { german } from './de/numbers-and-times.ts'
import { germanReminders } from './de/reminders.ts'
import { english } from './en/numbers-and-times.ts'
import { englishReminders } from './en/reminders.ts'
import { spanish } from './es/numbers-and-times.ts'
import { spanishReminders } from './es/reminders.ts'
import { french } from './fr/numbers-and-times.ts'
import { frenchReminders } from './fr/reminders.ts'
import type { Grammar, SpokenTime } from './grammar.ts'
import { japanese } from './ja/numbers-and-times.ts'
import { japaneseReminders } from './ja/reminders.ts'
import type { ReminderLanguage } from './reminder-language.ts'
import { chinese } from './zh/numbers-and-times.ts'
import { chineseReminders } from './zh/reminders.ts'

/** What each language has, by the first part of its code. */
const languages: Readonly<Record<string, Grammar & { reminders: ReminderLanguage }>> = {
  de: { ...german, reminders: germanReminders },
  en: { ...english, reminders: englishReminders },
  es: { ...spanish, reminders: spanishReminders },
  fr: { ...french, reminders: frenchReminders },
  ja: { ...japanese, reminders: japaneseReminders },
  zh: { ...chinese, reminders: chineseReminders },
}

/** The language of a code such as `de-AT`, if it is in the list. */
function languageOfCode(code: string) {
  const language = languageOf(code)
  return Object.hasOwn(languages, language) ? languages[language] : undefined
}

/** A whole number in words, in each usual form. Languages without a grammar and numbers from 10,000 have none. */
export function numberWords(value: number, code: string): string[] {
  return value < 10_000 ? (languageOfCode(code)?.writeNumber(value) ?? []) : []
}

/** A time of day in each form in which people say it; in English for a language without a grammar. */
export function timeWords(time: SpokenTime, code: string): string[] {
  return (languageOfCode(code) ?? english).sayTime(time)
}

/** The words of reminders for a language code; those of English for a language without a grammar. */
export function reminderLanguage(code: string): ReminderLanguage {
  return languageOfCode(code)?.reminders ?? englishReminders
}

/** The languages in which a text is read: many flows are written in English. */
export function readingLanguages(code: string): ReminderLanguage[] {
  return [...new Set([reminderLanguage(code), englishReminders])]
}
