import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { languageName } from './languages.ts'

// The usual ones; any other code can be typed.
const languages = [
  ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'es-419', 'it-IT', 'pt-PT', 'pt-BR', 'nl-NL'],
  ['pl-PL', 'cs-CZ', 'sv-SE', 'da-DK', 'no-NO', 'fi-FI', 'el-GR', 'tr-TR', 'uk-UA', 'ru-RU'],
  ['ar-SA', 'he-IL', 'hi-IN', 'th-TH', 'vi-VN', 'id-ID', 'ja-JP', 'ko-KR', 'zh-CN', 'zh-TW'],
].flat()

/** An input for a language as texts have it: `en-US`. */
export function languageField(selector: string): void {
  offer(selector, languages.map(toChoice))
}

/** An input for a language as voices have it: `EN_US`. `automatic`: what to call the choice of none. */
export function voiceLanguageField(selector: string, automatic: string): void {
  const codes = languages.map((language) => language.toUpperCase().replace('-', '_'))
  offer(selector, [{ value: 'AUTO', label: automatic }, ...codes.map(toChoice)])
}

function toChoice(code: string): Choice {
  return { value: code, label: languageName(code), note: code }
}

function offer(selector: string, choices: readonly Choice[]): void {
  choiceField({ input: $(selector), load: () => choices })
}
