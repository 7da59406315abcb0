/** Whether two texts have the same words, apart from capitals, accents and punctuation. */
export function areSameWords(one: string, other: string): boolean {
  return plainWords(one) === plainWords(other)
}

/** Whether a text contains the words of a sentence, so that a speaker that says the text may have said the sentence. */
export function containsWords(text: string, sentence: string): boolean {
  const words = plainWords(sentence)
  // Japanese and Chinese have no spaces between words.
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words)
  const wanted = isUnspaced ? words : ` ${words} `
  return words !== '' && ` ${plainWords(text)} `.includes(wanted)
}

/** The letters and digits in lower case, without accents, with a space between words. */
export function plainWords(text: string): string {
  // The marks of Japanese are no accents: they make other sounds, and so other words.
  const letters = text.normalize('NFKD').replace(/(?![\u3099\u309a])\p{Mn}/gu, '')
  return letters
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
