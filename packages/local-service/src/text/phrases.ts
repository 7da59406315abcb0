import {
  cutLongText,
  endsClause,
  isJoiningWord,
  isLineEnd,
  sentenceEnds,
  unspacedClauseEnds,
} from '@parlando/core/text'
import type { ScriptPart } from './read-script.ts'
import type { SpelledWord } from './spell-out/spell-out.ts'

/** A few words that an engine speaks in one call, and the silence after them. */
export interface Phrase {
  /** The text to speak. Empty for a phrase of only silence. */
  text: string
  /** The words of a text that was spelled out. */
  words?: readonly SpelledWord[]
  /** The final length: the speaking rate is already applied. */
  pauseSeconds: number
}

/** How long phrases may be, in characters as they are spoken: a digit counts as several. */
export interface PhraseLimits {
  /** The length of the first phrase determines the latency of the first audio. */
  firstCharacters: number
  laterCharacters: number
  /** The minimum length of the first phrase, unless its sentence is shorter. Default: a share of `firstCharacters`. */
  minFirstCharacters?: number
  /** Whether a phrase may contain several sentences, unless it is spelled out. Default: it may not. */
  acrossSentences?: boolean
}

/** How strong a break the text suggests after a word. Below 0, a break would be wrong. */
const breakStrength = {
  /** Between a number and its unit. No phrase ends there. */
  beforeUnit: -2,
  /** After a word such as "the" or "in". A phrase ends there only if it has no other word. */
  afterLeadingWord: -1,
  none: 0,
  beforeJoiningWord: 1,
  clause: 2,
  sentence: 3,
  paragraph: 4,
} as const
type BreakStrength = (typeof breakStrength)[keyof typeof breakStrength]

const pauseSeconds: Record<BreakStrength, number> = {
  [-2]: 0.02,
  [-1]: 0.02,
  0: 0.02,
  1: 0.04,
  2: 0.16,
  3: 0.35,
  4: 0.6,
}

/** Spells out a sentence, word by word. */
export type Spell = (sentence: string) => Iterable<SpelledWord>

interface Word extends SpelledWord {
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
/** A sentence stays whole up to this multiple of the limit, because a single last word sounds cut off. */
const tolerance = 1.3
const minShareOfLimit = 0.4
/** A single first word sounds cut off, but a second one delays the first audio. So only two short words stay together. */
const maxLettersOfTwoWords = 12

/** Articles, possessives, auxiliary verbs and the like: they belong to the next word. */
const leadingWord =
  /^(?:an?|the|my|your|his|her|its|our|their|this|these|those|every|each|no|some|any|is|are|was|were|be|been|being|still|has|have|had|will|would|can|could|should|must|not)$/i
/** Units, currencies, halves of the day and months, which may follow a number. */
const shortUnit = /^(?:[°%‰€$£¥µΩ]\S{0,5}|\p{L}{1,4}[²³]?(?:\/\S{1,6})?[.,;:!?]?)$/u

const emptyLine = /\n\s*\n/

/**
 * Cuts a script into phrases. A break replaces the pause that the text suggests. The speaking rate changes the other
 * pauses.
 * @param options.isPart whether more text may follow. Otherwise the script ends with the pause of a paragraph.
 * @param options.spell spells out each sentence before it is cut. Default: the text stays as it is.
 */
export function* cutScript(
  script: readonly ScriptPart[],
  limits: PhraseLimits,
  speakingRate: number,
  { isPart = false, spell }: { isPart?: boolean; spell?: Spell | undefined } = {},
): Generator<Phrase, void> {
  let last: Phrase | undefined
  let isBroken = false
  for (const part of script) {
    if ('silenceSeconds' in part) {
      const before: number = isBroken && last ? last.pauseSeconds : 0
      last = { ...(last ?? { text: '' }), pauseSeconds: before + part.silenceSeconds }
      isBroken = true
      continue
    }
    const isFirst: boolean = last === undefined || last.text === ''
    for (const phrase of cutPhrases(part.text, isFirst ? limits : laterLimits(limits), spell)) {
      if (last) yield last
      last = { ...phrase, pauseSeconds: phrase.pauseSeconds / speakingRate }
      isBroken = false
    }
  }
  if (last && isPart && !isBroken) {
    last.pauseSeconds = pauseAfterPart(last.words?.at(-1)?.written ?? last.text) / speakingRate
  }
  if (last) yield last
}

function pauseAfterPart(text: string): number {
  const isSentence = sentenceEnds(text).next().done !== true
  if (isSentence) return pauseSeconds[breakStrength.sentence]
  const isClause = endsClause(text) || unspacedClauseEnds(text).at(-1) === text.length
  return pauseSeconds[isClause ? breakStrength.clause : breakStrength.beforeJoiningWord]
}

function laterLimits(limits: PhraseLimits): PhraseLimits {
  return { ...limits, firstCharacters: limits.laterCharacters, minFirstCharacters: undefined }
}

/** Cuts text into phrases where a speaker would breathe: at sentences, then clauses, then joining words. */
export function* cutPhrases(
  text: string,
  limits: PhraseLimits,
  spell?: Spell,
): Generator<Phrase, void> {
  if (limits.acrossSentences && !spell) return yield* cutStretches(text, limits.laterCharacters)
  const words = readWords(text, spell)
  let isFirst = true
  // Only the words of one phrase, so that a long text without full stops does not delay its first phrase.
  const ahead: Word[] = []
  for (;;) {
    const limit = isFirst ? limits.firstCharacters : limits.laterCharacters
    readAhead(words, ahead, limit * tolerance)
    if (ahead.length === 0) return
    const min = (isFirst && limits.minFirstCharacters) || limit * minShareOfLimit
    const length = phraseLength(ahead, limit, min)
    const phrase = ahead.splice(0, isFirst && length === 1 ? firstWords(ahead) : length)
    while (phrase.at(-1)!.breakAfter === breakStrength.beforeUnit && ahead.length > 0) {
      phrase.push(ahead.shift()!)
    }
    isFirst = false
    const { breakAfter } = phrase[phrase.length - 1]!
    yield {
      text: joinSpoken(phrase),
      ...(spell && { words: phrase.map(({ written, spoken }) => ({ written, spoken })) }),
      pauseSeconds: pauseSeconds[breakAfter],
    }
  }
}

function joinSpoken(words: readonly SpelledWord[]): string {
  return words
    .map(({ spoken }) => spoken)
    .filter((spoken) => spoken !== '')
    .join(' ')
}

/** Reads words up to the end of the sentence, or until `ahead` has more than `characters`. */
function readAhead(words: Iterator<Word, void>, ahead: Word[], characters: number): void {
  let missing = characters - sum(ahead)
  while (missing >= 0) {
    if ((ahead.at(-1)?.breakAfter ?? breakStrength.none) >= breakStrength.sentence) return
    const next = words.next()
    if (next.done) return
    ahead.push(next.value)
    missing -= next.value.characters
  }
}

function* cutStretches(text: string, maxCharacters: number): Generator<Phrase, void> {
  for (const piece of cutLongText(text, maxCharacters)) {
    yield { text: piece, pauseSeconds: pauseSeconds[breakStrength.sentence] }
  }
}

/** @returns the number of words in the next phrase, which has at least `min` characters if possible. */
function phraseLength(words: readonly Word[], limit: number, min: number): number {
  if (sum(words) <= limit * tolerance) return words.length
  let characters = 0
  let best = 1
  let bestStrength: number = breakStrength.none
  for (const [index, word] of words.entries()) {
    characters += word.characters
    if (index > 0 && characters > limit) break
    const strength = characters >= min ? word.breakAfter : breakStrength.none
    if (strength >= bestStrength) {
      bestStrength = strength
      best = index + 1
    }
  }
  return best
}

/** @returns 2 if the first two words are short, otherwise 1. */
function firstWords(words: readonly Word[]): number {
  const [first, second] = words
  if (!first || !second) return 1
  return spokenLetters(first.spoken + second.spoken) <= maxLettersOfTwoWords ? 2 : 1
}

function* readWords(text: string, spell: Spell | undefined): Generator<Word, void> {
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
): Generator<Word, void> {
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
function* readPieces(word: SpacedWord, breakAfter: BreakStrength): Generator<Word, void> {
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
): Generator<Word, void> {
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
  /** After the word. */
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
function spokenLetters(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/\p{L}/gu) + charactersOfDigit * count(/\d/g) + lettersOfMark * count(/[,.;:!?]/g)
}

function spokenCharacters(word: string): number {
  const digits = word.match(/\d/g)?.length ?? 0
  return word.length + 1 + digits * (charactersOfDigit - 1)
}

function sum(words: readonly Word[]): number {
  return words.reduce((total, word) => total + word.characters, 0)
}
