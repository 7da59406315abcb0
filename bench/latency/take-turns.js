import { createSentences } from '../shared/sentences.js'
import { summarize } from '../shared/statistics.js'

const sentenceCount = 200
const warmingCount = 10

/**
 * Measures every kind with every sentence. The kinds take turns sentence by sentence, there and back, so that whatever
 * else the machine does hits all alike and none always follows the same other one.
 * @param kinds `{ row, firstMs(text) }` each. @returns their rows, with what was measured.
 */
export async function takeTurns(kinds) {
  const series = kinds.map((kind) => ({ ...kind, timesMs: [] }))
  for (const [index, text] of createSentences(warmingCount + sentenceCount).entries()) {
    for (const { firstMs, timesMs } of index % 2 ? series.toReversed() : series) {
      const timeMs = await firstMs(text)
      if (index >= warmingCount) timesMs.push(timeMs)
    }
  }
  return series.map(({ row, timesMs }) => ({ ...row, ...summarize(timesMs) }))
}
