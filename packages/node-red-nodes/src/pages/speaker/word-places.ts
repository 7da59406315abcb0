/** The place of a word in a text. */
export interface TextRange {
  start: number
  end: number
}

/** A voice may leave out some of a text, or say it in other words. */
const maxDistance = 100

/** Finds the words of a text one after the other, in the order in which they are said. */
export function createWordFinder(text: string) {
  let from = 0
  return (word: string): TextRange | undefined => {
    const trimmed = word.trim()
    const near = text.slice(from, from + maxDistance + trimmed.length)
    const found = trimmed === '' ? -1 : near.indexOf(trimmed)
    if (found < 0) return undefined
    const start = from + found
    from = start + trimmed.length
    return { start, end: from }
  }
}
