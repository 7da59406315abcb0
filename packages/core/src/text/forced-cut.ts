import { markupEnd } from './markup.ts'

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Where one would rather cut a sentence that is too long: after a longer word's full stop, a clause, a word. */
const places = [
  /(?<=\p{L}{4})[.!?…]+["'”’)]*(?=\s)/gu,
  /[,;:–—]["'”’)]*(?=\s)|[，、；：]/g,
  /(?<=\S)(?=\s)/g,
]

/** Where to cut a text in which no sentence ends: never inside markup, unless that is all there is. */
export function forcedCut(text: string): number {
  const isFree = outsideMarkup(text)
  const earliest = text.length / 3
  for (const place of places) {
    const ends = [...text.matchAll(place)].map((found) => found.index + found[0].length)
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
