import { spokenOrEnglish } from '../../runtime/spoken-words.ts'

/**
 * The sentences for yes, whose output is the first one, and for no. The first of each is what the page shows. Languages without
 * their own get those of English.
 */
export function yesNoSentences(language: string) {
  const { yes, no } = spokenOrEnglish(language).answers
  const toAnswers = (sentences: readonly string[], name: string, output: number) =>
    sentences.map((sentence) => ({ sentence, name, output, value: output === 0 }))
  return [...toAnswers(yes, 'yes', 0), ...toAnswers(no, 'no', 1)]
}
