import {
  endsClause,
  isJoiningWord,
  isLineEnd,
  sentenceEnds,
  unspacedClauseEnds,
} from '@parlando/core/text'
import type { SpelledWord } from './spell-out/word.ts'

/** How strong a break the text suggests after a word. Below 0, a break would be wrong. */
export const breakStrength = {
  /** The break between a number and its unit. No phrase ends there. */
  beforeUnit: -2,
  /** The break after a word such as "the" or "in". A phrase ends there only if it has no other word. */
  afterLeadingWord: -1,
  none: 0,
  beforeJoiningWord: 1,
  clause: 2,
  sentence: 3,
  paragraph: 4,
} as const
export type BreakStrength = (typeof breakStrength)[keyof typeof breakStrength]

/** Spells out a sentence, word by word. */
export type Spell = (sentence: string) => Iterable<SpelledWord>

/** A word as it is spoken. */
export interface PhraseWord extends SpelledWord {
  /** The length of the word as it is spoken: a digit counts as several. */
  characters: number
  breakAfter: BreakStrength
}

const charactersOfDigit = 4
/** The pause at a mark takes as long as this many letters. */
const lettersOfMark = 3
/** Longer words, and text without spaces, are split. */
const wordPieces = /.{1,60}/gsu
/** A word that takes longer to speak is split into several phrases. */
const maxSpokenCharacters = 200
/** Articles, possessives, auxiliary verbs and the like: they belong to the next word. */
const leadingWord =
  /^(?:an?|the|my|your|his|her|its|our|their|this|these|those|every|each|no|some|any|is|are|was|were|be|been|being|still|has|have|had|will|would|can|could|should|must|not)$/i
/** Units, currencies, halves of the day and months, which may follow a number. */
const shortUnit = /^(?:[°%‰€$£¥µΩ]\S{0,5}|\p{L}{1,4}[²³]?(?:\/\S{1,6})?[.,;:!?]?)$/u

const emptyLine = /\n\s*\n/

/** Reads the words of a text, each with the break after it. */
export function* readWords(text: string, spell: Spell | undefined): Generator<PhraseWord, void> {
  let start = 0
  for (const end of segmentEnds(text)) {
    yield* readSentence(text.slice(start, end), breakAfterSentence(text, end), spell)
    start = end
  }
  yield* readSentence(text.slice(start), breakStrength.paragraph, spell)
}

/** Yields the index after each sentence, heading and list item. */
function* segmentEnds(text: string): Generator<number, void> {
  let lineStart = 0
  let newline = text.indexOf('\n')
  const lineEndsBefore = function* (end: number) {
    while (newline >= 0 && newline < end) {
      const next = text.indexOf('\n', newline + 1)
      const line = text.slice(lineStart, newline)
      const rest = text.slice(newline + 1, next < 0 ? undefined : next + 1)
      if (line.trim() !== '' && isLineEnd(line, rest, true)) yield newline
      lineStart = newline + 1
      newline = next
    }
  }
  for (const end of sentenceEnds(text)) {
    yield* lineEndsBefore(end)
    yield end
  }
  yield* lineEndsBefore(text.length)
}

function* readSentence(
  sentence: string,
  breakAtEnd: BreakStrength,
  spell: Spell | undefined,
): Generator<PhraseWord, void> {
  const spelled = spell?.(sentence)[Symbol.iterator]()
  let last: SpacedWord | undefined
  for (const [, written = '', space = ''] of sentence.matchAll(/(\S+)(\s*)/g)) {
    const spoken = spelled?.next().value?.spoken
    const word = { written, spoken, space, isJoining: isJoiningWord(written) }
    if (last) yield* readPieces(last, breakBetween(last, word))
    last = word
  }
  if (last) yield* readPieces(last, breakAtEnd)
}

/** Splits a word after the clauses of a script without spaces, and every word that is too long. */
function* readPieces(word: SpacedWord, breakAfter: BreakStrength): Generator<PhraseWord, void> {
  const { written, spoken } = word
  if (spoken !== undefined) return yield* readSpoken(written, spoken, breakAfter)
  let start = 0
  for (const end of new Set([...unspacedClauseEnds(written), written.length])) {
    const pieces = written.slice(start, end).match(wordPieces) ?? []
    const breakAtEnd = end === written.length ? breakAfter : breakStrength.clause
    for (const [index, text] of pieces.entries()) {
      const isLast = index === pieces.length - 1
      const characters = spokenCharacters(text)
      const breakHere = isLast ? breakAtEnd : breakStrength.none
      yield { written: text, spoken: text, characters, breakAfter: breakHere }
    }
    start = end
  }
}

/** The pieces of a word that is too long belong to the first one. */
function* readSpoken(
  written: string,
  spoken: string,
  breakAfter: BreakStrength,
): Generator<PhraseWord, void> {
  const isLong = spoken.length > maxSpokenCharacters
  const pieces = isLong
    ? spoken.split(' ').flatMap((part) => part.match(wordPieces) ?? [])
    : [spoken]
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1
    yield {
      written: index === 0 ? written : '',
      spoken: piece,
      characters: piece.length + 1,
      breakAfter: isLast ? breakAfter : breakStrength.none,
    }
  }
}

function breakAfterSentence(text: string, end: number): BreakStrength {
  const space = /\s*/y
  space.lastIndex = end
  const gap = space.exec(text)?.[0] ?? ''
  const isParagraph = end + gap.length === text.length || emptyLine.test(gap)
  return isParagraph ? breakStrength.paragraph : breakStrength.sentence
}

interface SpacedWord {
  written: string
  /** Absent if the text is not spelled out. */
  spoken: string | undefined
  /** The space after the word. */
  space: string
  isJoining: boolean
}

function breakBetween(word: SpacedWord, next: SpacedWord): BreakStrength {
  const { written: text, space, isJoining } = word
  if (emptyLine.test(space)) return breakStrength.paragraph
  if (space.includes('\n')) return breakStrength.sentence
  if (endsClause(text)) return breakStrength.clause
  const isAmount = /\d$/.test(text) && shortUnit.test(next.written) && !next.isJoining
  if (isAmount) return breakStrength.beforeUnit
  if (isJoining || leadingWord.test(text)) return breakStrength.afterLeadingWord
  return next.isJoining ? breakStrength.beforeJoiningWord : breakStrength.none
}

/** The number of letters that take as long to speak. */
export function spokenLetters(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/\p{L}/gu) + charactersOfDigit * count(/\d/g) + lettersOfMark * count(/[,.;:!?]/g)
}

function spokenCharacters(word: string): number {
  const digits = word.match(/\d/g)?.length ?? 0
  return word.length + 1 + digits * (charactersOfDigit - 1)
}
