import { cutLongText, endsClause, sentenceEnds, unspacedClauseEnds } from '@parlando/core/text'
import type { ScriptPart } from './read-script.ts'
import type { SpelledWord } from './spell-out/word.ts'
import {
  type BreakStrength,
  breakStrength,
  type PhraseWord,
  readWords,
  type Spell,
  spokenLetters,
} from './words-and-breaks.ts'

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

const pauseSeconds: Record<BreakStrength, number> = {
  [-2]: 0.02,
  [-1]: 0.02,
  0: 0.02,
  1: 0.04,
  2: 0.16,
  3: 0.35,
  4: 0.6,
}

/** A sentence stays whole up to this multiple of the limit, because a single last word sounds cut off. */
const tolerance = 1.3
const minShareOfLimit = 0.4
/** A single first word sounds cut off, but a second one delays the first audio. So only two short words stay together. */
const maxLettersOfTwoWords = 12

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
  const ahead: PhraseWord[] = []
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
function readAhead(
  words: Iterator<PhraseWord, void>,
  ahead: PhraseWord[],
  characters: number,
): void {
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
function phraseLength(words: readonly PhraseWord[], limit: number, min: number): number {
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
function firstWords(words: readonly PhraseWord[]): number {
  const [first, second] = words
  if (!first || !second) return 1
  return spokenLetters(first.spoken + second.spoken) <= maxLettersOfTwoWords ? 2 : 1
}

function sum(words: readonly PhraseWord[]): number {
  return words.reduce((total, word) => total + word.characters, 0)
}
