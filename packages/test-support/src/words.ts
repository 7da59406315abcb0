/** The words of a text in lower case, without punctuation and numbers. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}

/**
 * How many of the spoken words were recognised in order: the longest common subsequence. Insertions do not count, because
 * a recogniser without a grammar inserts short words into every pause.
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

/** @returns the word error rate: substitutions, deletions and insertions as a share of the spoken words. */
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
