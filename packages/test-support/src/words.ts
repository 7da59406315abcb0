/** The words of a text in small letters, without signs and numbers. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}

/**
 * How many of the spoken words were heard, in their order: the longest common subsequence. Words put in are not counted,
 * because a recogniser that may hear any word at any time puts short ones into every pause.
 */
export function wordsInOrder(spoken: readonly string[], heard: readonly string[]): number {
  let row = [0, ...heard.map(() => 0)]
  for (const word of spoken) {
    const next = [0]
    for (const [index, other] of heard.entries()) {
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    }
    row = next
  }
  return row.at(-1)!
}

/** @returns how many words must be changed, left out or added, as a share of the words that were said. */
export function wordErrorRate(
  said: readonly string[],
  heard: readonly (readonly string[])[],
): number {
  let errors = 0
  let count = 0
  for (const [index, text] of said.entries()) {
    const words = wordsOf(text)
    errors += distance(words, heard[index] ?? [])
    count += words.length
  }
  return errors / count
}

function distance(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const word of first) {
    const next = [row[0]! + 1]
    for (const [index, other] of second.entries()) {
      const replaced = row[index]! + (word === other ? 0 : 1)
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
