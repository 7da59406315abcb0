const spacedClauseEnd = /(?:[,;:،؛…–—-]|\.\.\.)["'”’)\]]*$/
const unspacedClauseEnd = /[、，；：][」』）”’]*/g

/** Enough for a mark and its closing quotes. It bounds the search in a long row of quotes. */
const maxEndCharacters = 8

/** Whether the text before a space ends a clause. */
export function endsClause(textBeforeSpace: string): boolean {
  return spacedClauseEnd.test(textBeforeSpace.slice(-maxEndCharacters))
}

/** @returns the index after each clause mark that needs no space after it, such as `、`, in ascending order. */
export function unspacedClauseEnds(text: string): number[] {
  return Array.from(text.matchAll(unspacedClauseEnd), ({ 0: mark, index }) => index + mark.length)
}
