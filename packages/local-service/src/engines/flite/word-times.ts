import type { SpokenPhone, SpokenWord } from '../engine.ts'
import type { SpelledWord } from './spell-out/spell-out.ts'
import type { SpokenToken } from './spoken-tokens.ts'

/**
 * Assigns flite's times and phones to the words of a text, as written and with their punctuation. If flite splits a word into
 * several tokens, such as `and—or` or `3kWh`, the word lasts from the first to the last. The result omits words that flite
 * does not speak, such as a dash.
 * @param spelled the words of the text, and the plain text that flite speaks for each.
 * @param tokens the tokens into which flite split the plain text, in order.
 */
export function alignWords(
  spelled: readonly SpelledWord[],
  tokens: readonly SpokenToken[],
): SpokenWord[] {
  const words: (SpokenWord & { phones: SpokenPhone[] })[] = []
  let index = 0
  let from = 0
  for (const token of tokens) {
    const place = findToken(token.text, index, from)
    if (!place) continue
    const { startSeconds, endSeconds, phones = [] } = token
    const isSame = place.index === index && from > 0
    const last = words.at(-1)
    if (isSame && last) {
      last.endSeconds = endSeconds
      last.phones.push(...phones)
    } else {
      const text = spelled[place.index]!.written
      words.push({ text, startSeconds, endSeconds, phones: [...phones] })
    }
    index = place.index
    from = place.end
  }
  return words

  function findToken(token: string, startIndex: number, startFrom: number) {
    for (let at = startIndex; at < spelled.length; at++) {
      const start = spelled[at]!.spoken.indexOf(token, at === startIndex ? startFrom : 0)
      if (start >= 0) return { index: at, end: start + token.length }
    }
    return undefined
  }
}
