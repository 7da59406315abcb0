import { beforeNumber, maybeFinal, neverFinal } from './abbreviations.ts'

const spacedClauseEnd = /(?:[,;:،؛!?…–—-]|\.\.\.)["'”’)\]]*$/
const longWordFullStop = /(\p{L}{4,})[.!?…]+["'”’)\]]*$/u
const unspacedClauseEnd = /[、，；：][」』）”’]*/g

/** Enough for a word, its marks and closing quotes. It bounds the search in a long row of quotes. */
const maxEndCharacters = 40

/** Whether the text before a space ends a clause. A full stop inside a sentence counts as well: "late. and". */
export function endsClause(textBeforeSpace: string): boolean {
  const end = textBeforeSpace.slice(-maxEndCharacters)
  return spacedClauseEnd.test(end) || endsWithFullStop(end)
}

/** Whether the text before a space ends with a full stop or a similar mark, after a longer word that is not an abbreviation. */
export function endsWithFullStop(textBeforeSpace: string): boolean {
  const word = longWordFullStop.exec(textBeforeSpace.slice(-maxEndCharacters))?.[1]?.toLowerCase()
  return (
    word !== undefined && ![neverFinal, maybeFinal, beforeNumber].some((list) => list.has(word))
  )
}

/** Finds the clause marks that need no space after them, such as `、`. @returns the index after each, in ascending order. */
export function unspacedClauseEnds(text: string): number[] {
  return Array.from(text.matchAll(unspacedClauseEnd), ({ 0: mark, index }) => index + mark.length)
}
