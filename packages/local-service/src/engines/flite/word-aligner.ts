import type { SpelledWord } from '../../text/spell-out/word.ts'
import type { SpokenPhone, SpokenWord } from '../engine.ts'
import type { SpokenToken } from './spoken-tokens.ts'

/**
 * Assigns flite's times and phones to the words of a text, as written and with their punctuation. If flite splits a word into
 * several tokens, such as `and—or` or `3kWh`, the word lasts from the first to the last. The result omits words that flite
 * does not speak, such as a dash.
 * @param spelled the words of the text, and the plain text that flite speaks for each.
 * @returns a function that takes the next tokens into which flite split the plain text, and returns their words. All tokens
 * of a word must be passed together.
 */
export function createWordAligner(
  spelled: readonly SpelledWord[],
): (tokens: readonly SpokenToken[]) => SpokenWord[] {
  let index = 0
  let from = 0

  const findToken = (token: string) => {
    for (let at = index; at < spelled.length; at++) {
      const start = spelled[at]!.spoken.indexOf(token, at === index ? from : 0)
      if (start >= 0) return { index: at, end: start + token.length }
    }
    return undefined
  }

  return (tokens) => {
    const words: (SpokenWord & { phones: SpokenPhone[] })[] = []
    for (const token of tokens) {
      const place = findToken(token.text)
      if (!place) continue
      const { startSeconds, endSeconds, phones = [] } = token
      const isSame = place.index === index && from > 0
      const last = words.at(-1)
      const text = spelled[place.index]!.written
      // A long word without its written form began in an earlier phrase.
      if (!isSame && text !== '') {
        words.push({ text, startSeconds, endSeconds, phones: [...phones] })
      } else if (isSame && last) {
        last.endSeconds = endSeconds
        last.phones.push(...phones)
      }
      index = place.index
      from = place.end
    }
    return words
  }
}
