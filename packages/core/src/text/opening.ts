import { endsClause, unspacedClauseEnds } from './clauses.ts'
import { markupEnd } from './markup.ts'
import { isSettledCut } from './settled-cut.ts'
import { isJoiningWord } from './words.ts'

/** A character of Chinese or Japanese takes as long to speak as this many letters. */
const lettersOfCharacter = 3
const nextWord = /\s+([\p{L}\p{M}\p{N}’']+)(?=[^\p{L}\p{M}\p{N}’'])/uy

/**
 * Finds where speech may pause within a sentence that is still being written: after a clause, or before a conjunction or a
 * preposition.
 *
 * The decision depends only on the text up to the word after the pause, so that it never changes when more text arrives.
 * @param minCharacters the shortest opening, in letters.
 * @returns the index after the opening, or `undefined` if there is none yet.
 */
export function openingEnd(text: string, minCharacters: number): number | undefined {
  const unspacedEnds = new Set(unspacedClauseEnds(text))
  for (let index = 0; index < text.length; index++) {
    const markup = markupEnd(text, index, false)
    if (markup === undefined) return undefined
    if (markup > index) {
      index = markup - 1
      continue
    }
    if (unspacedEnds.has(index) && index * lettersOfCharacter >= minCharacters) return index
    if (index < minCharacters) continue
    nextWord.lastIndex = index
    const word = nextWord.exec(text)?.[1]
    const isPause = word && (endsClause(text.slice(0, index)) || isJoiningWord(word))
    // What follows the word may not have arrived yet.
    if (isPause && isSettledCut(text.slice(0, nextWord.lastIndex), index)) return index
  }
  return undefined
}
