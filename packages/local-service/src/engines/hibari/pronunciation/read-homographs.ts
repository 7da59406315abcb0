import { homographs } from './homographs.ts'
import type { Token } from './tokens.ts'

/** How many words before and after a word may say how it sounds. */
const reach = 3

/** Sets the sounds of words that are written the same and sound in several ways, where the words around say which. */
export function readHomographs(tokens: readonly Token[]): void {
  const words = tokens.map(({ text }) => text.toLowerCase())
  tokens.forEach((token, index) => {
    const word = words[index]!
    if (isLetterA(tokens, index)) token.phonemes = 'ˈA'
    if (!Object.hasOwn(homographs, word)) return
    const before = words.slice(Math.max(0, index - reach), index).join(' ')
    const after = words.slice(index + 1, index + 1 + reach).join(' ')
    const reading = homographs[word]!.find(
      ([, wantedBefore, wantedAfter]) =>
        (wantedBefore?.test(before) ?? true) && (wantedAfter?.test(after) ?? true),
    )
    if (reading) token.phonemes = reading[0]
  })
}

/** "the A C", "plan A is ready"; but the article in "play A Hard Day's Night" and at the start of a sentence. */
function isLetterA(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]!.text !== 'A') return false
  const next = tokens[index + 1]?.text ?? ''
  if (/^[A-Z]$/.test(next)) return tokens[index + 2]?.text !== '-'
  return index > 0 && /^(?:$|[\p{Ll},.;:?!])/u.test(next)
}
