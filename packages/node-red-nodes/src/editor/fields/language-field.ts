import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { languageName } from './language-names.ts'

// Common languages; the user can type any other code.
const languages = [
  ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'es-419', 'it-IT', 'pt-PT', 'pt-BR', 'nl-NL'],
  ['pl-PL', 'cs-CZ', 'sv-SE', 'da-DK', 'no-NO', 'fi-FI', 'el-GR', 'tr-TR', 'uk-UA', 'ru-RU'],
  ['ar-SA', 'he-IL', 'hi-IN', 'th-TH', 'vi-VN', 'id-ID', 'ja-JP', 'ko-KR', 'zh-CN', 'zh-TW'],
].flat()

/** An input for the language of a text: `en-US`. */
export function languageField(selector: string): void {
  offer(selector, languages.map(toChoice))
}

/** An input for the language of a voice: `EN_US`. `automatic` is the label of the empty choice. */
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
