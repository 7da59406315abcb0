import { endsClause, endsWithFullStop, unspacedClauseEnds } from './clauses.ts'
import { markupEnd } from './markup.ts'
import { isSettledCut } from './settled-cut.ts'

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Chooses where to cut a sentence that exceeds the limit: after the full stop of a longer word, a clause or a word, and not
 * between a number and what belongs to it. It cuts inside markup only if all of the text is markup.
 */
export function forcedCut(text: string): number {
  const isFree = outsideMarkup(text)
  const earliest = text.length / 3
  const spaces = Array.from(text.matchAll(/(?<=\S)(?=\s)/g), ({ index }) => index)
  const clauses = spaces.filter((index) => endsClause(text.slice(0, index)))
  const levels = [
    spaces.filter((index) => endsWithFullStop(text.slice(0, index))),
    [...clauses, ...unspacedClauseEnds(text)].sort((a, b) => a - b),
    spaces,
  ]
  const settledLevels = levels.map((ends) => ends.filter((end) => isSettledCut(text, end)))
  for (const ends of [...settledLevels, ...levels]) {
    const last = ends.findLast((end) => end > earliest && isFree(end))
    if (last !== undefined) return last
  }
  const words = [...wordSegmenter.segment(text)].map(({ index }) => index)
  return words.findLast((index) => index > 0 && isFree(index)) ?? text.length
}

function outsideMarkup(text: string): (position: number) => boolean {
  const spans: [number, number][] = []
  for (let index = 0; index < text.length; index++) {
    const isFirst = index === 0
    const end = markupEnd(text, index, false) ?? (isFirst ? index : text.length)
    if (end === index) continue
    spans.push([index, end])
    index = end - 1
  }
  return (position) => !spans.some(([start, end]) => position > start && position < end)
}
