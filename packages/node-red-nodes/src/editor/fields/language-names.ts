import { languageOf } from '@parlando/core/text'
import { RED } from '../red.ts'
import sentences from './sample-sentences.json' with { type: 'json' }

/** The name of `EN_US` in the language of the editor; the code itself if it has no name. `AUTO` means several languages. */
export function languageName(langCode: string, locale = RED.i18n.lang()): string {
  try {
    const names = new Intl.DisplayNames([locale], { type: 'language' })
    const code = langCode === 'AUTO' ? 'mul' : langCode.replaceAll('_', '-').toLowerCase()
    return names.of(code) ?? langCode
  } catch {
    return langCode
  }
}

/** A sample sentence in the language of a voice; English if there is none. */
export function sampleSentence(langCode?: string | null): string {
  const language = languageOf(langCode ?? '')
  return sentences[Object.hasOwn(sentences, language) ? (language as 'en') : 'en']
}
