import { endsClause, unspacedClauseEnds } from './clauses.ts'
import { markupEnd } from './markup.ts'
import { hasUnspacedScript } from './scripts.ts'
import { sentenceEnds } from './sentence-end.ts'
import { isSettledCut } from './settled-cut.ts'
import { hasSpeakable, speakableCharacter } from './words.ts'

/** The finder cuts a very long word within this distance of the limit. */
const nearCharacters = 256
/** The text after a sentence or word decides whether it ends there. */
const lookAheadCharacters = 64

const silentMarkup = /<\/?[A-Za-z][^<>]*>|\[[^[\]]*\]/g
const openingAtEnd = /[\p{Ps}\p{Pi}'"¿¡]$/u
const joinsToSpace = /[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u200d]/uy

const skippedCharacters = 1024

/** A stretch of text that must stay whole; `end` is the index after it. */
interface Span {
  start: number
  end: number
}

/**
 * Cuts text into pieces of at most `maxCharacters` (UTF-16 code units, at least 2; default 2,000). Each piece ends at the
 * last paragraph that fits. If none fits, it ends at a sentence, line, clause or word, in this order of preference, but not
 * between a number and what belongs to it.
 *
 * Markup (`[...]`, `<...>`, `<verbatim>...</verbatim>`, `/ipa/`) and graphemes stay whole unless a single one exceeds the
 * limit. The pieces together contain all of the text except the white space around them. Each piece contains a letter or
 * a digit, unless a stretch of text as long as a piece contains none. A `[direction]` affects only the piece that contains it.
 * The function returns text within the limit unchanged.
 */
export function cutLongText(text: string, maxCharacters = 2000): string[] {
  return [...piecesOfLongText(text, maxCharacters)]
}

/** Cuts each piece of {@link cutLongText} when it is needed: all pieces of a megabyte take half a second. */
export function* piecesOfLongText(text: string, maxCharacters: number): Generator<string, void> {
  if (text.length <= maxCharacters) return yield text
  const findCut = createCutFinder(text, maxCharacters)
  const end = text.trimEnd().length
  for (let start = skipSpace(text, 0); start < end; ) {
    const cut = end - start <= maxCharacters ? end : findCut(start)
    yield text.slice(start, cut)
    start = skipSpace(text, cut)
  }
}

/** @returns a function that finds the end of the piece that starts at a position. Positions must ascend. */
function createCutFinder(text: string, maxCharacters: number): (start: number) => number {
  const words = new Intl.Segmenter('en', { granularity: 'word' })
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const spanAround = createSpanFinder(findMarkup(text, maxCharacters))
  // Markup is silent, and "Yes." ends a sentence in "Yes. [laugh] No.", so spaces replace the markup.
  const plain = text.replace(silentMarkup, (markup) => ' '.repeat(markup.length))
  const nextSpeakable = createSpeakableFinder(plain)
  const lastSpeakable = findLastSpeakable(plain)

  const readStretch = (start: number): Stretch => {
    const probe = text.slice(start, skipSpace(text, start + maxCharacters) + lookAheadCharacters)
    const segments = graphemes.segment(probe)
    return {
      probe,
      plainProbe: plain.slice(start, start + probe.length),
      spaces: readSpaces(probe),
      isSettled: (end) => end > maxCharacters / 3 && isSettledCut(probe, end),
      words,
      graphemeStart: (end) => segments.containing(end)?.index ?? end,
      markupStart(end) {
        const markup = spanAround(start + end)
        return markup && markup.start - start
      },
    }
  }

  return (start) => {
    const stretch = readStretch(start)
    // The weaker rules apply to a range without speakable text, and to a range of markup only.
    const end =
      lastCut(
        stretch,
        nextSpeakable(start) + 1 - start,
        Math.min(maxCharacters, lastSpeakable - start),
      ) ??
      lastCut(stretch, 1, maxCharacters) ??
      (stretch.graphemeStart(maxCharacters) || wholeCodePoints(stretch.probe, maxCharacters))
    return start + end
  }
}

/** The text from the start of a piece to a little after its longest end. Positions count from the start of the piece. */
interface Stretch {
  probe: string
  /** The same text with spaces in place of markup. */
  plainProbe: string
  spaces: ReturnType<typeof readSpaces>
  /** Whether a piece that ends here is not too short, and nothing that belongs together is cut. */
  isSettled(end: number): boolean
  words: Intl.Segmenter
  /** @returns the start of the grapheme that a cut would split, or else the same position. */
  graphemeStart(end: number): number
  /** @returns the start of the markup that a cut would split. */
  markupStart(end: number): number | undefined
}

/** @returns the last place of some kind where a piece may end. @param near the last characters of the longest piece. */
type FindLastEnd = (
  stretch: Stretch,
  isAllowed: (end: number) => boolean,
  near: Span,
) => number | undefined

/** The preferred places first. Whether a cut is settled takes time, so the check begins with the last place and stops at the first that is. */
const findLastEnds: readonly FindLastEnd[] = [
  ({ spaces }, isAllowed) => spaces.paragraphs.findLast(isAllowed),
  ({ plainProbe }, isAllowed) => [...sentenceEnds(plainProbe)].findLast(isAllowed),
  ({ spaces }, isAllowed) => spaces.lines.findLast(isAllowed),
  ({ spaces, probe, isSettled }, isAllowed) =>
    later(
      spaces.clauses.findLast((end) => isAllowed(end) && isSettled(end)),
      unspacedClauseEnds(probe).findLast(isAllowed),
    ),
  ({ spaces, isSettled }, isAllowed) =>
    spaces.words.findLast((end) => isAllowed(end) && isSettled(end)),
  ({ spaces }, isAllowed) => spaces.clauses.findLast(isAllowed),
  ({ spaces, words, probe }, isAllowed, near) =>
    later(
      spaces.words.findLast(isAllowed),
      unspacedWordEnds(words, probe, near).findLast(isAllowed),
    ),
  // Inside words.
  ({ words, probe }, isAllowed, near) => wordEnds(words, probe, near).findLast(isAllowed),
  ({ graphemeStart }, isAllowed, near) =>
    everyEnd(near).findLast(isAllowed) ?? [graphemeStart(near.end)].find(isAllowed),
]

/** @returns the last place between two positions, both included, where the text may be cut. */
function lastCut(stretch: Stretch, from: number, to: number): number | undefined {
  if (from > to) return undefined
  const { markupStart, graphemeStart } = stretch
  const nearTo = markupStart(to) ?? to
  const near = { start: Math.max(0, nearTo - nearCharacters), end: nearTo }
  const isAllowed = (end: number) =>
    end >= from && end <= to && markupStart(end) === undefined && graphemeStart(end) === end
  for (const findLastEnd of findLastEnds) {
    const end = findLastEnd(stretch, isAllowed, near)
    if (end !== undefined) return end
  }
  return undefined
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

/** Keeps surrogate pairs whole in a grapheme that is longer than a piece. */
function wholeCodePoints(probe: string, maxCharacters: number): number {
  const isPair = (probe.codePointAt(maxCharacters - 1) ?? 0) > 0xffff
  return Math.max(1, isPair ? maxCharacters - 1 : maxCharacters)
}

/** Finds the positions before white space, grouped by what the white space separates. */
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
    if (endsClause(probe.slice(0, index))) clauses.push(index)
  }
  return { paragraphs, lines, clauses, words }
}

/** Finds the boundaries between words of scripts without spaces. */
function unspacedWordEnds(words: Intl.Segmenter, probe: string, near: Span): number[] {
  if (!hasUnspacedScript(probe.slice(near.start, near.end))) return []
  const isBetween = (end: number) =>
    hasUnspacedScript(probe.charAt(end - 1)) && hasUnspacedScript(probe.charAt(end))
  return wordEnds(words, probe, near).filter(isBetween)
}

function wordEnds(words: Intl.Segmenter, probe: string, near: Span): number[] {
  const ends: number[] = []
  const tail = probe.slice(near.start, near.end + lookAheadCharacters)
  for (const { index, isWordLike } of words.segment(tail)) {
    const end = near.start + index
    if (end > near.end) break
    if (isWordLike && index > 0 && !openingAtEnd.test(tail.charAt(index - 1))) ends.push(end)
  }
  return ends
}

function everyEnd({ start, end }: Span): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1)
}

/** Finds markup of at most `maxCharacters`. */
function findMarkup(text: string, maxCharacters: number): Span[] {
  const spans: Span[] = []
  const opening = /[[</]/g
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    // `markupEnd` also reads the character before the markup. The slice keeps the search linear.
    const before = Math.max(0, found.index - 1)
    const around = text.slice(before, found.index + maxCharacters + 1)
    const end = before + markupEnd(around, found.index - before, true)!
    if (end === found.index) continue
    if (end - found.index <= maxCharacters) spans.push({ start: found.index, end })
    opening.lastIndex = end
  }
  return spans
}

/** @returns a function that finds the span that a cut at a position would split. */
function createSpanFinder(spans: Span[]): (position: number) => Span | undefined {
  const separate: Span[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = separate.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else separate.push({ ...span })
  }
  return (position) => {
    let [low, high] = [0, separate.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (separate[middle]!.end <= position) low = middle + 1
      else high = middle
    }
    const span = separate[low]
    return span && span.start < position ? span : undefined
  }
}

/** @returns a function that finds the next letter or digit. It never searches the same text twice. */
function createSpeakableFinder(plain: string): (from: number) => number {
  const search = new RegExp(speakableCharacter, 'gu')
  let next = -1
  return (from) => {
    if (next >= from) return next
    search.lastIndex = from
    next = search.exec(plain)?.index ?? Number.POSITIVE_INFINITY
    return next
  }
}

function findLastSpeakable(plain: string): number {
  let end = plain.length
  // Skips long stretches without any. A slice overlaps with the next one, because it may end in a surrogate pair.
  while (end > 0 && !hasSpeakable(plain.slice(Math.max(0, end - skippedCharacters), end + 1))) {
    end -= skippedCharacters
  }
  for (let index = Math.min(plain.length - 1, end); index >= 0; index--) {
    if (hasSpeakable(String.fromCodePoint(plain.codePointAt(index)!))) return index
  }
  return -1
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y
  space.lastIndex = from
  space.test(text)
  joinsToSpace.lastIndex = space.lastIndex
  // A combining mark after the last space forms one grapheme with that space.
  const isJoined = space.lastIndex > from && joinsToSpace.test(text)
  return isJoined ? space.lastIndex - 1 : space.lastIndex
}
