import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import { japanese } from './ja.ts'
import type { ReminderLanguage } from './language.ts'
import { chinese } from './zh.ts'

/** By the first part of a language code. */
const languages: Readonly<Record<string, ReminderLanguage>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  ja: japanese,
  zh: chinese,
}

/** The words for a language code such as `de-AT`; those of English for a language without its own. */
export function reminderLanguage(code: string): ReminderLanguage {
  return languages[code.slice(0, 2).toLowerCase()] ?? english
}

/** The languages in which a text is read: many flows are written in English. */
export function readingLanguages(code: string): ReminderLanguage[] {
  return [...new Set([reminderLanguage(code), english])]
}
