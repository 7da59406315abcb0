import { languageOf } from '@parlando/core/text'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Grammar, SpokenTime } from './grammar.ts'
import { japanese } from './ja.ts'
import type { ReminderLanguage } from './reminder-language.ts'
import { chinese } from './zh.ts'

/** The grammars, by the first part of a language code. */
const grammars: Readonly<Record<string, Grammar>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  ja: japanese,
  zh: chinese,
}

/** The grammar for a language code such as `de-AT`, if there is one. */
function grammarOf(code: string): Grammar | undefined {
  const language = languageOf(code)
  return Object.hasOwn(grammars, language) ? grammars[language] : undefined
}

/** A whole number in words, in each usual form. Languages without a grammar and numbers from 10,000 have none. */
export function numberWords(value: number, code: string): string[] {
  return value < 10_000 ? (grammarOf(code)?.writeNumber(value) ?? []) : []
}

/** A time of day in each form in which people say it; in English for a language without a grammar. */
export function timeWords(time: SpokenTime, code: string): string[] {
  return (grammarOf(code) ?? english).sayTime(time)
}

/** The words of reminders for a language code; those of English for a language without a grammar. */
export function reminderLanguage(code: string): ReminderLanguage {
  return (grammarOf(code) ?? english).reminders
}

/** The languages in which a text is read: many flows are written in English. */
export function readingLanguages(code: string): ReminderLanguage[] {
  return [...new Set([reminderLanguage(code), english.reminders])]
}
