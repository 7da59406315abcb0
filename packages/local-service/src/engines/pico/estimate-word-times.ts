import type { SpelledWord } from '../../text/spell-out/word.ts'
import type { SpokenWord } from '../engine.ts'
import { sampleRateHertz } from './open-pico.ts'

const audibleLevel = 0.003
/** The pause at a mark takes as long as this many letters. */
const lettersOfMark = 3

/** Shares the time of a phrase among its words, by their letters and the marks after them. */
export function estimateWordTimes(
  words: readonly SpelledWord[],
  samples: Float32Array,
): SpokenWord[] {
  const isAudible = (sample: number) => Math.abs(sample) > audibleLevel
  const start = Math.max(0, samples.findIndex(isAudible))
  const end = samples.findLastIndex(isAudible) + 1
  const spoken = words.map(({ written, spoken }) => ({ written, ...weightsOf(spoken) }))
  const last = spoken.findLast(({ letters }) => letters > 0)
  const total = spoken.reduce((sum, { letters, pause }) => sum + letters + pause, 0)
  const seconds = (end - start) / sampleRateHertz / Math.max(1, total - (last?.pause ?? 0))
  let at = start / sampleRateHertz
  return spoken.flatMap(({ written, letters, pause }) => {
    const startSeconds = at
    const endSeconds = at + letters * seconds
    at = endSeconds + pause * seconds
    // A long word without its written form began in an earlier phrase.
    return written === '' || letters === 0 ? [] : [{ text: written, startSeconds, endSeconds }]
  })
}

function weightsOf(spoken: string): { letters: number; pause: number } {
  const count = (pattern: RegExp) => spoken.match(pattern)?.length ?? 0
  return { letters: count(/[\p{L}\p{N}]/gu), pause: lettersOfMark * count(/[,.;:!?](?=\s|$)/g) }
}
