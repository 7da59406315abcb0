import {
  cutLongText,
  endsClause,
  isJoiningWord,
  sentenceEnds,
  unspacedClauseEnds,
} from '@parlando/core/text'
import type { ScriptPart } from './markup.ts'

/** A few words that an engine speaks in one call, and the silence after them. */
export interface Phrase {
  /** Empty for a phrase of only silence. */
  text: string
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
  /** Whether a phrase may contain several sentences, for engines that speak a text as a whole. Default: it may not. */
  acrossSentences?: boolean
}

/** How strong a break the text suggests after a word. */
const breakStrength = {
  none: 0,
  beforeJoiningWord: 1,
  clause: 2,
  sentence: 3,
  paragraph: 4,
} as const
type BreakStrength = (typeof breakStrength)[keyof typeof breakStrength]

const pauseSeconds: Record<BreakStrength, number> = { 0: 0.02, 1: 0.04, 2: 0.16, 3: 0.35, 4: 0.6 }

interface Word {
  text: string
  characters: number
  breakAfter: BreakStrength
}

const charactersOfDigit = 4
/** The pause at a mark takes as long as this many letters. */
const lettersOfMark = 3
/** Longer words, and text without spaces, are split. */
const wordPieces = /.{1,60}/gsu
/** A sentence stays whole up to this multiple of the limit, because a single last word sounds cut off. */
const tolerance = 1.3
const minShareOfLimit = 0.4
/** A single first word sounds cut off, but a second one delays the first audio. So only two short words stay together. */
const maxLettersOfTwoWords = 12

const emptyLine = /\n\s*\n/

/**
 * Cuts a script into phrases. A break replaces the pause that the text suggests. The speaking rate changes the other
 * pauses.
 * @param isPart whether more text may follow. Otherwise the script ends with the pause of a paragraph.
 */
export function* cutScript(
  script: readonly ScriptPart[],
  limits: PhraseLimits,
  speakingRate: number,
  isPart = false,
): Generator<Phrase, void> {
  let last: Phrase | undefined
  let isBroken = false
  for (const part of script) {
    if ('silenceSeconds' in part) {
      const before: number = isBroken && last ? last.pauseSeconds : 0
      last = { text: last?.text ?? '', pauseSeconds: before + part.silenceSeconds }
      isBroken = true
      continue
    }
    const isFirst: boolean = last === undefined || last.text === ''
    for (const phrase of cutPhrases(part.text, isFirst ? limits : laterLimits(limits))) {
      if (last) yield last
      last = { text: phrase.text, pauseSeconds: phrase.pauseSeconds / speakingRate }
      isBroken = false
    }
  }
  if (last && isPart && !isBroken) last.pauseSeconds = pauseAfterPart(last.text) / speakingRate
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
export function* cutPhrases(text: string, limits: PhraseLimits): Generator<Phrase, void> {
  if (limits.acrossSentences) return yield* cutStretches(text, limits.laterCharacters)
  const words = readWords(text)
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
    isFirst = false
    const { breakAfter } = phrase[phrase.length - 1]!
    yield {
      text: phrase.map((word) => word.text).join(' '),
      pauseSeconds: pauseSeconds[breakAfter],
    }
  }
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
  return spokenLetters(first.text + second.text) <= maxLettersOfTwoWords ? 2 : 1
}

function* readWords(text: string): Generator<Word, void> {
  let start = 0
  for (const end of sentenceEnds(text)) {
    yield* readSentence(text.slice(start, end), breakAfterSentence(text, end))
    start = end
  }
  yield* readSentence(text.slice(start), breakStrength.paragraph)
}

function* readSentence(sentence: string, breakAtEnd: BreakStrength): Generator<Word, void> {
  const matches = sentence.matchAll(/(\S+)(\s*)/g)
  let current = matches.next()
  while (!current.done) {
    const [, word = '', space = ''] = current.value
    const next = matches.next()
    yield* readPieces(word, next.done ? breakAtEnd : breakBetween(word, space, next.value[1]!))
    current = next
  }
}

/** Splits a word after the clauses of a script without spaces, and every word that is too long. */
function* readPieces(word: string, breakAfter: BreakStrength): Generator<Word, void> {
  let start = 0
  for (const end of new Set([...unspacedClauseEnds(word), word.length])) {
    const pieces = word.slice(start, end).match(wordPieces) ?? []
    const breakAtEnd = end === word.length ? breakAfter : breakStrength.clause
    for (const [index, text] of pieces.entries()) {
      const isLast = index === pieces.length - 1
      const characters = spokenCharacters(text)
      yield { text, characters, breakAfter: isLast ? breakAtEnd : breakStrength.none }
    }
    start = end
  }
}

function breakAfterSentence(text: string, end: number): BreakStrength {
  const space = /\s*/y
  space.lastIndex = end
  const gap = space.exec(text)?.[0] ?? ''
  const isParagraph = end + gap.length === text.length || emptyLine.test(gap)
  return isParagraph ? breakStrength.paragraph : breakStrength.sentence
}

function breakBetween(word: string, space: string, following: string): BreakStrength {
  if (emptyLine.test(space)) return breakStrength.paragraph
  if (space.includes('\n')) return breakStrength.sentence
  if (endsClause(word)) return breakStrength.clause
  const isJoined = isJoiningWord(following)
  return isJoined ? breakStrength.beforeJoiningWord : breakStrength.none
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
