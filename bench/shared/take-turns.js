import { createSentences } from './sentences.js'
import { summarize } from './statistics.js'

/**
 * Measures every kind with every sentence. It alternates between the kinds sentence by sentence, forwards and backwards,
 * so that other load affects all equally and no kind always follows the same other one.
 * @param kinds each is `{ row, firstMs(text) }`.
 * @param warmingCount how many sentences are not measured. @returns their rows with the measured times.
 */
export async function takeTurns(kinds, sentenceCount = 200, warmingCount = 10) {
  const series = kinds.map((kind) => ({ ...kind, timesMs: [] }))
  for (const [index, text] of createSentences(warmingCount + sentenceCount).entries()) {
    for (const { firstMs, timesMs } of index % 2 ? series.toReversed() : series) {
      const timeMs = await firstMs(text)
      if (index >= warmingCount) timesMs.push(timeMs)
    }
  }
  return series.map(({ row, timesMs }) => ({ ...row, ...summarize(timesMs) }))
}

/**
 * Takes turns as above, with kinds that have names.
 * @param kinds by their names. @returns the rows by the same names, so that a goal does not depend on their order.
 */
export async function takeNamedTurns(kinds, ...counts) {
  const rows = await takeTurns(Object.values(kinds), ...counts)
  return Object.fromEntries(Object.keys(kinds).map((name, index) => [name, rows[index]]))
}
