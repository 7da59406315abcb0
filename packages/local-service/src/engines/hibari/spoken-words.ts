import { numbersInWords } from '../../text/spell-out/number-words.ts'
import type { SpelledWord } from '../../text/spell-out/spell-out.ts'
import type { SpokenWord } from '../engine.ts'
import { plainText } from '../english-text.ts'
import type { WordTimes } from './generate-speech.ts'

/** Of a word that was too long to be spelled out: the networks know no digits. */
export const withoutDigits = (word: SpelledWord): SpelledWord =>
  /\d/.test(word.spoken) ? { ...word, spoken: numbersInWords(word.spoken) } : word

export const textOf = (words: readonly SpelledWord[]) =>
  words.map(({ spoken }) => plainText(spoken)).join(' ')

/** @returns each word as written, from the first to the last of the words that are spoken for it. */
export function nameWords(
  spelled: readonly SpelledWord[],
  times: readonly WordTimes[],
): SpokenWord[] {
  let from = 0
  return spelled.flatMap(({ written, spoken }) => {
    const to = from + spoken.split(/\s+/).filter((part) => part !== '').length
    const own = times.filter(({ place }) => place >= from && place < to)
    from = to
    const [first] = own
    // A long word without its written form began in an earlier phrase.
    if (!first || written === '') return []
    return [{ text: written, startSeconds: first.startSeconds, endSeconds: own.at(-1)!.endSeconds }]
  })
}
