import { plainWords } from './same-words.ts'

/** Which sentence of a list was said. */
export interface SentenceChoice {
  /** Absent if none is certain enough. */
  sentence?: string
  /** The sentences most like the transcript, at most two. */
  nearest: string[]
}

/**
 * The share of the characters that may differ. A recogniser confuses words more often than letters, and a wrong word may
 * be another command: with a third of the words different, 21 % of the commands were wrong.
 */
const maxDifference = 0.12
/** How many times as many characters must differ from every other sentence. `on` and `off` differ by two characters. */
const minRatio = 2

/**
 * Finds the sentence that a transcript means, for a service that transcribes without a list. Capitals, accents, spaces and
 * punctuation do not matter. A sentence that does not match exactly counts only if no other one is nearly as similar.
 */
export function matchSentence(transcript: string, sentences: readonly string[]): SentenceChoice {
  const letters = sentences.map(lettersOf)
  const longest = letters.reduce((length, one) => Math.max(length, one.length), 0)
  // The transcript of a whole recording matches nothing, but takes long to compare.
  const said = lettersOf(transcript.slice(0, 8 * longest)).slice(0, 2 * longest)
  if (said.length === 0) return { nearest: [] }
  const ranked: { index: number; distance: number }[] = []
  for (const [index, one] of letters.entries()) {
    const limit = ranked[1]?.distance ?? Number.POSITIVE_INFINITY
    const distance = editDistance(said, one, limit)
    if (distance >= limit) continue
    ranked.push({ index, distance })
    ranked.sort((first, second) => first.distance - second.distance)
    ranked.length = Math.min(ranked.length, 2)
  }
  const [best, next] = ranked
  const nearest = ranked.map(({ index }) => sentences[index]!)
  if (!best) return { nearest }
  const isClear = next === undefined || next.distance > minRatio * best.distance
  const isSimilar = isClear && best.distance <= maxDifference * letters[best.index]!.length
  return { nearest, ...((best.distance === 0 || isSimilar) && { sentence: nearest[0]! }) }
}

/** The letters and digits in lower case, without accents and spaces. */
function lettersOf(text: string): string[] {
  return [...plainWords(text).replaceAll(' ', '')]
}

/** The Levenshtein distance; from `limit` on, some number that is not below it. */
function editDistance(one: readonly string[], other: readonly string[], limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit
  // The distances of the letters of `one` so far from each beginning of `other`.
  const row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of one.entries()) {
    let diagonal = index
    row[0] = index + 1
    let smallest = index + 1
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = diagonal + (letter === other[column - 1] ? 0 : 1)
      diagonal = row[column]!
      const distance = Math.min(replaced, diagonal + 1, row[column - 1]! + 1)
      row[column] = distance
      if (distance < smallest) smallest = distance
    }
    if (smallest >= limit) return limit
  }
  return row[other.length]!
}
