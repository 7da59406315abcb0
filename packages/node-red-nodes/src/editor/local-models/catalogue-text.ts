import { text } from '../red.ts'

const maxKeyCharacters = 40

/** The key of a translation: the beginning of the English sentence. */
export function catalogueKey(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxKeyCharacters)
}

export function sentencesOf(english: string): string[] {
  return english.split(/(?<=\.) (?=[A-Z])/)
}

/** A text of the catalogue in the language of the editor. A sentence that is newer than the editor stays in English. */
export function catalogueText(english: string): string {
  const sentences = sentencesOf(english).map((sentence) => {
    const key = `models.catalogue.${catalogueKey(sentence)}`
    const translated = text(key)
    return translated.endsWith(key) ? sentence : translated
  })
  return sentences.join(' ')
}
