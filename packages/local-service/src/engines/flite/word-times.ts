import type { SpokenWord } from '../engine.ts'
import { plainText } from './plain-text.ts'
import type { SpokenToken } from './spoken-tokens.ts'

/**
 * Gives the words of a text, as they are written and with their punctuation, the times at which flite says them. A
 * word of which flite makes several, as `and—or`, takes from the first to the last; what it does not say, as a lone
 * dash, is left out.
 * @param text as it was written, before it was made plain for flite.
 * @param tokens what flite made of the plain text, in order.
 */
export function alignWords(text: string, tokens: readonly SpokenToken[]): SpokenWord[] {
  const written = text.split(/\s+/).map((word) => ({ word, plain: plainText(word) }))
  const words: SpokenWord[] = []
  let index = 0
  let from = 0
  for (const token of tokens) {
    const place = findToken(token.text, index, from)
    if (!place) continue
    const { startSeconds, endSeconds } = token
    const isSame = place.index === index && from > 0
    const last = words.at(-1)
    if (isSame && last) last.endSeconds = endSeconds
    else words.push({ text: written[place.index]!.word, startSeconds, endSeconds })
    index = place.index
    from = place.end
  }
  return words

  function findToken(token: string, startIndex: number, startFrom: number) {
    for (let at = startIndex; at < written.length; at++) {
      const start = written[at]!.plain.indexOf(token, at === startIndex ? startFrom : 0)
      if (start >= 0) return { index: at, end: start + token.length }
    }
    return undefined
  }
}
