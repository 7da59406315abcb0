import { cutLongText } from '@parlando/core/text'
import type { PhraseLimits } from '../engines/engine.ts'
import type { ScriptPart } from './markup.ts'

/** A few words that an engine speaks at once, and the silence that follows them. */
export interface Phrase {
  /** Empty where there is only silence. */
  text: string
  /** As it is heard, whatever the speaking rate is. */
  pauseSeconds: number
}

/** How strongly the text asks for a break after a word. */
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
const longestEndCharacters = 60
// What has no spaces is cut after the signs of scripts that write none, and where there are none, as it comes.
const wordPieces = /.{1,56}?[。！？、，；：][」』）”’]{0,3}|.{1,60}/gsu
// A sentence that is only this much over the limit stays whole: a lone last word sounds torn off.
const tolerance = 1.3
const minShareOfLimit = 0.4

const joiningWords = new Set(
  'and but or nor so yet because while when where which who that if than then after before until unless although though in on at by for from with without to of into over under between through during about as'.split(
    ' ',
  ),
)
const abbreviations = new Set(
  'mr mrs ms dr prof sr jr st vs etc no vol fig e.g i.e a.m p.m u.s u.k approx dept est jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
)

/**
 * Cuts a script into phrases. Where a break follows, it stands in place of the pause that the text would have had;
 * other pauses follow the speaking rate.
 */
export function* cutScript(
  script: readonly ScriptPart[],
  limits: PhraseLimits,
  speakingRate: number,
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
  if (last) yield last
}

function laterLimits(limits: PhraseLimits): PhraseLimits {
  return { ...limits, firstCharacters: limits.laterCharacters }
}

/** Cuts text into phrases at the places where a speaker would breathe: sentences, then clauses, then joining words. */
export function* cutPhrases(text: string, limits: PhraseLimits): Generator<Phrase, void> {
  if (limits.acrossSentences) return yield* cutStretches(text, limits.laterCharacters)
  const words = readWords(text)
  let isFirst = true
  // No more than one phrase needs, so that the first one of a long text without full stops is soon there.
  const ahead: Word[] = []
  for (;;) {
    const limit = isFirst ? limits.firstCharacters : limits.laterCharacters
    readAhead(words, ahead, limit * tolerance)
    if (ahead.length === 0) return
    isFirst = false
    const phrase = ahead.splice(0, phraseLength(ahead, limit))
    const { breakAfter } = phrase[phrase.length - 1]!
    yield {
      text: phrase.map((word) => word.text).join(' '),
      pauseSeconds: pauseSeconds[breakAfter],
    }
  }
}

/** Reads words up to the end of the sentence, or until there are more characters than asked for. */
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

/** @returns how many of the words make the next phrase. */
function phraseLength(words: readonly Word[], limit: number): number {
  if (sum(words) <= limit * tolerance) return words.length
  let characters = 0
  let best = 1
  let bestStrength: number = breakStrength.none
  for (const [index, word] of words.entries()) {
    characters += word.characters
    if (index > 0 && characters > limit) break
    const strength = characters >= limit * minShareOfLimit ? word.breakAfter : breakStrength.none
    if (strength >= bestStrength) {
      bestStrength = strength
      best = index + 1
    }
  }
  return best
}

function* readWords(text: string): Generator<Word, void> {
  const matches = text.matchAll(/(\S+)(\s*)/g)
  let current = matches.next()
  while (!current.done) {
    const [, word = '', space = ''] = current.value
    const next = matches.next()
    const following = next.done ? undefined : next.value[1]
    const breakAfter = breakBetween(word, space, following)
    const pieces = word.match(wordPieces) ?? []
    for (const [index, piece] of pieces.entries()) {
      const nextPiece = pieces[index + 1]
      yield {
        text: piece,
        characters: spokenCharacters(piece),
        breakAfter: nextPiece ? breakBetween(piece, '', nextPiece) : breakAfter,
      }
    }
    current = next
  }
}

function breakBetween(word: string, space: string, following: string | undefined): BreakStrength {
  if (following === undefined || /\n\s*\n/.test(space)) return breakStrength.paragraph
  // The end alone: on a long row of quotation marks the pattern would begin anew at each of them.
  const bare = word.slice(-longestEndCharacters).replace(/["'”’)\]」』）]+$/, '')
  if (/[!?…。！？]$/.test(bare)) return breakStrength.sentence
  if (bare.endsWith('.') && !isAbbreviation(bare)) return breakStrength.sentence
  if (space.includes('\n')) return breakStrength.sentence
  if (/[,;:–—、，；：]$/.test(bare)) return breakStrength.clause
  const isJoined = joiningWords.has(following.toLowerCase())
  return isJoined ? breakStrength.beforeJoiningWord : breakStrength.none
}

function isAbbreviation(word: string): boolean {
  const name = word.slice(0, -1).replace(/^["'“‘([]+/, '')
  return /^[A-Z]$/.test(name) || abbreviations.has(name.toLowerCase())
}

function spokenCharacters(word: string): number {
  const digits = word.match(/\d/g)?.length ?? 0
  return word.length + 1 + digits * (charactersOfDigit - 1)
}

function sum(words: readonly Word[]): number {
  return words.reduce((total, word) => total + word.characters, 0)
}
