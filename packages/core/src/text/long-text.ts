import { markupEnd } from './markup.ts'
import { isTerminal, sentenceEnd } from './sentence-end.ts'

// A word without end is cut within so many characters before the limit.
const nearCharacters = 256
// What follows decides whether a sentence or word ends.
const lookAheadCharacters = 64

const sayable = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const silentMarkup = /<\/?[A-Za-z][^<>]*>|\[[^[\]]*\]/g
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const opening = /[\p{Ps}\p{Pi}'"¿¡]$/u
const clauseEnd = /(?:[,;:،؛…–—-]|\.\.\.)["'”’)\]]*$/
const unspacedClauseEnd = /[、，；：][」』）”’]*/g
const clingsToSpace = /[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u200d]/uy

/** A stretch of text that is not cut; `end` is after it. */
interface Span {
  start: number
  end: number
}

/**
 * Cuts text into pieces of at most `maxCharacters` (UTF-16 code units, at least 2; default 2,000): each ends at the last
 * paragraph that fits, else sentence, else line, else clause, else word.
 *
 * Markup (`[...]`, `<...>`, `<verbatim>...</verbatim>`, `/ipa/`) and graphemes stay whole unless one alone is longer.
 * The pieces give the text back but for white space around them, and each has something to say unless there is nothing
 * for a whole piece's length. A `[direction]` acts on its own piece alone. Text within the limit comes back as it is.
 */
export function cutLongText(text: string, maxCharacters = 2000): string[] {
  if (text.length <= maxCharacters) return [text]
  const findCut = createCutFinder(text, maxCharacters)
  const end = text.trimEnd().length
  const pieces: string[] = []
  for (let start = skipSpace(text, 0); start < end; ) {
    const cut = end - start <= maxCharacters ? end : findCut(start)
    pieces.push(text.slice(start, cut))
    start = skipSpace(text, cut)
  }
  return pieces
}

/** @returns what finds the end of the piece that starts at a position; starts must rise. */
function createCutFinder(text: string, maxCharacters: number): (start: number) => number {
  const words = new Intl.Segmenter('en', { granularity: 'word' })
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const spanAround = createSpanFinder(findMarkup(text, maxCharacters))
  // A sentence ends in "Yes. [laugh] No." as if nothing were between; and markup alone says nothing.
  const plain = text.replace(silentMarkup, (markup) => ' '.repeat(markup.length))
  const nextSayable = createSayableFinder(plain)
  const lastSayable = findLastSayable(plain)

  return (start) => {
    const probe = text.slice(start, skipSpace(text, start + maxCharacters) + lookAheadCharacters)
    const plainProbe = plain.slice(start, start + probe.length)
    const segments = graphemes.segment(probe)
    const graphemeStart = (end: number) => segments.containing(end)?.index ?? end

    const spaces = readSpaces(probe)

    const lastCut = (from: number, to: number): number | undefined => {
      if (from > to) return undefined
      const nearTo = (spanAround(start + to)?.start ?? start + to) - start
      const near = { start: Math.max(0, nearTo - nearCharacters), end: nearTo }
      const levels = [
        () => spaces.paragraphs,
        () => sentenceEnds(plainProbe),
        () => spaces.lines,
        () => rising(spaces.clauses, unspacedClauseEnds(probe)),
        () => rising(spaces.words, unspacedWordEnds(words, probe, near)),
        () => wordEnds(words, probe, near),
        () => rising([graphemeStart(near.end)], everyEnd(near)),
      ]
      for (const level of levels) {
        const end = level().findLast(
          (end) =>
            end >= from && end <= to && !spanAround(start + end) && graphemeStart(end) === end,
        )
        if (end !== undefined) return end
      }
      return undefined
    }

    // Where nothing can be said for a whole piece's length, or markup fills it, the cut cannot choose any more.
    const end =
      lastCut(nextSayable(start) + 1 - start, Math.min(maxCharacters, lastSayable - start)) ??
      lastCut(1, maxCharacters) ??
      (graphemeStart(maxCharacters) || wholeCodePoints(probe, maxCharacters))
    return start + end
  }
}

/** A single grapheme fills the piece: only its surrogate pairs can stay whole. */
function wholeCodePoints(probe: string, maxCharacters: number): number {
  const isPair = (probe.codePointAt(maxCharacters - 1) ?? 0) > 0xffff
  return Math.max(1, isPair ? maxCharacters - 1 : maxCharacters)
}

/** The ends before white space, by what the white space separates. */
function readSpaces(probe: string) {
  const paragraphs: number[] = []
  const lines: number[] = []
  const clauses: number[] = []
  const words: number[] = []
  for (const { 0: space, index } of probe.matchAll(/\s+/g)) {
    words.push(index)
    const breaks = space.match(/\r\n?|[\n\u2028\u2029]/g)
    if (breaks) lines.push(index)
    if (breaks && (breaks.length > 1 || breaks[0] === '\u2029')) paragraphs.push(index)
    if (clauseEnd.test(probe.slice(Math.max(0, index - 8), index))) clauses.push(index)
  }
  return { paragraphs, lines, clauses, words }
}

function sentenceEnds(plain: string): number[] {
  const ends: number[] = []
  let rest = plain
  let restStart = 0
  for (let index = 0; index < rest.length; index++) {
    if (!isTerminal(rest.charAt(index))) continue
    const end = sentenceEnd(rest, index, true)
    if (typeof end === 'number') {
      restStart += end
      ends.push(restStart)
      rest = rest.slice(end)
      index = -1
    } else while (isTerminal(rest.charAt(index + 1))) index++
  }
  return ends
}

function unspacedClauseEnds(probe: string): number[] {
  return Array.from(probe.matchAll(unspacedClauseEnd), ({ 0: mark, index }) => index + mark.length)
}

/** Ends between words of a script that puts no spaces between them. */
function unspacedWordEnds(words: Intl.Segmenter, probe: string, near: Span): number[] {
  if (!unspaced.test(probe.slice(near.start, near.end))) return []
  const isBetween = (end: number) =>
    unspaced.test(probe.charAt(end - 1)) && unspaced.test(probe.charAt(end))
  return wordEnds(words, probe, near).filter(isBetween)
}

function wordEnds(words: Intl.Segmenter, probe: string, near: Span): number[] {
  const ends: number[] = []
  const tail = probe.slice(near.start, near.end + lookAheadCharacters)
  for (const { index, isWordLike } of words.segment(tail)) {
    const end = near.start + index
    if (end > near.end) break
    if (isWordLike && index > 0 && !opening.test(tail.charAt(index - 1))) ends.push(end)
  }
  return ends
}

function everyEnd({ start, end }: Span): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1)
}

function rising(first: number[], second: number[]): number[] {
  return second.length === 0 ? first : [...first, ...second].sort((a, b) => a - b)
}

/** Finds markup that is no longer than `maxCharacters`. */
function findMarkup(text: string, maxCharacters: number): Span[] {
  const spans: Span[] = []
  const opening = /[[</]/g
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    // As much as decides; the character before belongs to it.
    const before = Math.max(0, found.index - 1)
    const around = text.slice(before, found.index + maxCharacters + 1)
    const end = before + markupEnd(around, found.index - before, true)!
    if (end === found.index) continue
    if (end - found.index <= maxCharacters) spans.push({ start: found.index, end })
    opening.lastIndex = end
  }
  return spans
}

/** @returns what finds the span that a cut at a position would cut in two. */
function createSpanFinder(spans: Span[]): (position: number) => Span | undefined {
  const apart: Span[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else apart.push({ ...span })
  }
  return (position) => {
    let [low, high] = [0, apart.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (apart[middle]!.end <= position) low = middle + 1
      else high = middle
    }
    const span = apart[low]
    return span && span.start < position ? span : undefined
  }
}

/** @returns what finds the next character that sounds; it never looks at the same text twice. */
function createSayableFinder(plain: string): (from: number) => number {
  const search = new RegExp(sayable, 'gu')
  let next = -1
  return (from) => {
    if (next >= from) return next
    search.lastIndex = from
    next = search.exec(plain)?.index ?? Number.POSITIVE_INFINITY
    return next
  }
}

function findLastSayable(plain: string): number {
  for (let index = plain.length - 1; index >= 0; index--) {
    if (sayable.test(String.fromCodePoint(plain.codePointAt(index)!))) return index
  }
  return -1
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y
  space.lastIndex = from
  space.test(text)
  clingsToSpace.lastIndex = space.lastIndex
  // A mark that stands on the last space is one grapheme with it.
  const isClinging = space.lastIndex > from && clingsToSpace.test(text)
  return isClinging ? space.lastIndex - 1 : space.lastIndex
}
