/** The words of a text in lower case, without punctuation and numbers. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}

/**
 * How many of the spoken words were recognised in order: the longest common subsequence. Insertions do not count, because
 * a recogniser without a grammar inserts short words into every pause.
 */
export function countWordsInOrder(
  spoken: readonly string[],
  recognised: readonly string[],
): number {
  let row = [0, ...recognised.map(() => 0)]
  for (const word of spoken) {
    const next = [0]
    for (const [index, other] of recognised.entries()) {
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    }
    row = next
  }
  return row.at(-1)!
}

/**
 * The word error rate: substitutions, deletions and insertions as a share of the spoken words.
 * @param recognised the recognised words of each text.
 */
export function wordErrorRate(
  texts: readonly string[],
  recognised: readonly (readonly string[])[],
): number {
  let errors = 0
  let count = 0
  for (const [index, text] of texts.entries()) {
    const words = wordsOf(text)
    errors += editDistance(words, recognised[index] ?? [])
    count += words.length
  }
  return errors / count
}

function editDistance(first: readonly string[], second: readonly string[]): number {
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
