import { hasCapitalsOnly, type Tokens } from '../../recognisers/sherpa/hotwords.ts'
import { StreamRequestError } from '../process/run-detector.ts'

/** At the sensitivity 0.5: how probable the tokens of a phrase must be, on average. It is that of sherpa-onnx. */
const middleThreshold = 0.25

/**
 * Writes phrases as sherpa-onnx reads them: the tokens, the threshold, and the number of the phrase.
 * @throws {StreamRequestError} for a phrase that the tokens cannot spell.
 */
export function toKeywords(
  phrases: readonly string[],
  tokens: Tokens,
  sensitivity: number,
): string {
  const ranks = new Map(tokens.map((token, rank) => [token, rank]))
  const isCapital = hasCapitalsOnly(tokens)
  const threshold = middleThreshold ** (2 * sensitivity)
  const lines = new Map<string, string>()
  for (const [number, phrase] of phrases.entries()) {
    const words = phrase.normalize('NFC').match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
    const spelt = words.flatMap((word) => spell(isCapital ? word.toUpperCase() : word, ranks))
    if (spelt.length === 0 || spelt.some((token) => !ranks.has(token))) {
      const message = `phrases: the model cannot spell "${phrase}". Write numbers as words, and use only letters of its language`
      throw new StreamRequestError(message)
    }
    // Phrases that are spelt alike would be found as the first one anyway.
    const line = spelt.join(' ')
    if (!lines.has(line)) lines.set(line, `${line} #${threshold.toFixed(4)} @${number}`)
  }
  return [...lines.values()].join('\n')
}

/**
 * Divides a word as byte pair encoding has learnt it: neighbours become one token, those with the lowest rank first. The
 * network has heard words only in this division.
 */
function spell(word: string, ranks: ReadonlyMap<string, number>): string[] {
  // The tokens of some models are whole words.
  if (ranks.has(`▁${word}`)) return [`▁${word}`]
  const parts = ['▁', ...word]
  while (true) {
    let best = Number.POSITIVE_INFINITY
    let at = -1
    for (let index = 0; index + 1 < parts.length; index++) {
      const rank = ranks.get(`${parts[index]}${parts[index + 1]}`)
      if (rank !== undefined && rank < best) [best, at] = [rank, index]
    }
    if (at < 0) return parts
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
  }
}
