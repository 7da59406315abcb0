import {
  beforeNumber,
  dayHalves,
  daysAndMonths,
  maybeFinal,
  neverFinal,
  sentenceStarters,
  weekdays,
} from './abbreviations.ts'
import { hasChineseOrJapanese } from './scripts.ts'
import { hasSpeakable } from './words.ts'

/** The index after the sentence, `none` if the sentence continues, or `unknown` if only more text can decide. */
export type SentenceEnd = number | 'none' | 'unknown'

/** Whether a character can end a sentence. */
export function isTerminal(character: string): boolean {
  if (character < '\x80') return character === '.' || character === '!' || character === '?'
  return /[…‼⁇⁈⁉]|\p{Sentence_Terminal}/u.test(character)
}

const terminals = /(?:[.…!?‼⁇⁈⁉]|\p{Sentence_Terminal})+/uy
/** Terminals of scripts without spaces: they need no space after them. */
const wideTerminals = /[。！？｡﹗﹖]/
/** Quotes, brackets, emphasis marks and emoji that still belong to the sentence. */
const closers =
  /(?:["'”’“‘»«›‹)\]}）」』】〉》*_`~]|\ufe0f|\u200d|[\u00a0\u202f]»|[ \u00a0]?[\p{Extended_Pictographic}\p{Regional_Indicator}]|\p{Emoji_Modifier})*/uy
/** The closers after a wide terminal. Without a space, an ambiguous quote belongs to the next sentence. */
const wideClosers = /["'”’»›)\]}）」』】〉》*_`~]*/y
const quotesOrBrackets = /["'”’“‘»«›‹)\]}]/
const openers = /["'“‘„«»‹›(「『*_¿¡`~]*/uy
const word = /[\p{L}\p{M}’']+/uy

/**
 * Yields the index after each sentence that ends with punctuation. This is the only place that decides whether a full
 * stop ends a sentence.
 * @param text the whole text. For text that is still arriving, use `createSentenceCutter`.
 */
export function* sentenceEnds(text: string): Generator<number, void> {
  let rest = text
  let restStart = 0
  for (let index = 0; index < rest.length; index++) {
    if (!isTerminal(rest.charAt(index))) continue
    const end = sentenceEnd(rest, index, true)
    if (typeof end === 'number') {
      restStart += end
      yield restStart
      rest = rest.slice(end)
      index = -1
    } else while (isTerminal(rest.charAt(index + 1))) index++
  }
}

/**
 * Decides whether the run of terminal characters that begins at `start` ends the sentence that begins at 0.
 *
 * A decision never changes when more text arrives; only `unknown` becomes a decision. `Intl.Segmenter` cannot do this: it
 * needs the whole text and may move a boundary when the text grows.
 *
 * @param isWhole whether no more text follows.
 */
export function sentenceEnd(text: string, start: number, isWhole: boolean): SentenceEnd {
  const run = match(terminals, text, start)
  const isWide = wideTerminals.test(run)
  const tail = match(isWide ? wideClosers : closers, text, start + run.length)
  const end = start + run.length + tail.length
  if (end === text.length) return isWhole ? end : 'unknown'
  if (isWide) return wideEnd(text, end, tail)
  const isStrong = /[^.…]/.test(run)
  const gap = match(/\s*/y, text, end)
  if (gap === '') return isStrong && hasChineseOrJapanese(at(text, end)) ? end : 'none'
  const isQuoteClosed = quotesOrBrackets.test(tail)
  const token = run === '.' && !isQuoteClosed ? tokenBefore(text, start) : undefined
  if (gap.includes('\n')) return token && isNeverFinal(token) ? 'none' : end
  const next = end + gap.length
  if (next === text.length) return isWhole ? end : 'unknown'
  if (isStrong && !isQuoteClosed) return end
  if (token && isNeverFinal(token)) return 'none'
  return decideByNextWord(text, next, { run, token, isStrong, isWhole }, end)
}

interface Before {
  run: string
  /** The word before a single full stop. */
  token: Token | undefined
  isStrong: boolean
  isWhole: boolean
}

/** Decides by the text after the space: a lower-case letter continues the sentence, other characters depend on the token. */
function decideByNextWord(text: string, gapEnd: number, before: Before, end: number): SentenceEnd {
  const { run, token, isStrong, isWhole } = before
  const start = gapEnd + match(openers, text, gapEnd).length
  if (start === text.length) return isWhole ? end : 'unknown'
  const next = at(text, start)
  if (/\p{Ll}|[,;:]/u.test(next)) return 'none'
  if (isStrong) return end
  const isRange = token && /[-–—]/.test(next) && beginsRange(token)
  const range = isRange ? decideByRange(text, start + 1, token, isWhole) : undefined
  if (range) return range
  if (token && /\p{N}/u.test(next)) return isFollowedByNumber(token) ? 'none' : end
  const isEllipsis = run !== '.'
  // "I" after an ellipsis proves nothing: it is a capital anywhere in a sentence.
  if (isEllipsis ? next !== 'I' : !token || !needsStarter(token)) return end
  const nextWord = match(word, text, start)
  if (nextWord === '') return end
  if (!isWhole && start + nextWord.length === text.length) return 'unknown'
  if (isEllipsis) return /^I(?:['’]|$)/.test(nextWord) ? 'none' : end
  return sentenceStarters.has(nextWord.toLowerCase()) ? end : 'none'
}

/** In 「…」と the quote is part of a longer sentence. */
function wideEnd(text: string, end: number, tail: string): SentenceEnd {
  return tail !== '' && /[とっ、，,]/.test(at(text, end)) ? 'none' : end
}

interface Token {
  /** In lower case, without opening punctuation: `e.g`, `dr`, `3.5`. */
  text: string
  /** Whether no letter or digit precedes it in the sentence. */
  isFirst(): boolean
}

function tokenBefore(text: string, end: number): Token {
  let start = end
  while (start > 0 && text.charAt(start - 1).trim() !== '') start--
  return {
    text: text
      .slice(start, end)
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .toLowerCase(),
    // Only on demand: for each full stop in a row of punctuation, this search would be quadratic.
    isFirst: () => !hasSpeakable(text.slice(0, start)),
  }
}

function isNeverFinal({ text, isFirst }: Token): boolean {
  // "1. First" and "b. Second" are list items.
  return neverFinal.has(text) || (/^(?:\d{1,3}|[a-h])$/.test(text) && isFirst())
}

function isFollowedByNumber({ text }: Token): boolean {
  return beforeNumber.has(text) || /\p{L}str$|^\d{1,2}$/u.test(text)
}

/** "Mo. - Fr.", "Jan. - März", "1. - 3. Mai", "24.12. - 2.1.", "3 p. m. - 5 p. m." */
function beginsRange({ text }: Token): boolean {
  const isDate = /^\d{1,2}(?:\.\d{1,2})?$/.test(text)
  return isDate || weekdays.has(text) || beforeNumber.has(text) || /^(?:[ap]\.)?m$/.test(text)
}

/**
 * Decides by the word after a dash. A day or a month before the dash may be another word, so only a number, a day or a month
 * ends its range: "Mo. - Fr.", but not "I think so. - Really?"
 * @returns `undefined` if it is no range.
 */
function decideByRange(
  text: string,
  dashEnd: number,
  from: Token,
  isWhole: boolean,
): 'none' | 'unknown' | undefined {
  const gap = match(/\s*/y, text, dashEnd)
  const start = dashEnd + gap.length
  if (start === text.length && !isWhole) return 'unknown'
  if (gap === '') return undefined
  if (/^\d|^(?:[ap]\.)?m$/.test(from.text) || /\p{N}/u.test(at(text, start))) return 'none'
  const name = match(word, text, start).toLowerCase()
  if (start + name.length === text.length && !isWhole) return 'unknown'
  return [weekdays, beforeNumber, daysAndMonths].some((names) => names.has(name))
    ? 'none'
    : undefined
}

/** Abbreviations, initials and small numbers, which may be ordinal ("am 3. Mai"), end a sentence only before a starter. */
function needsStarter({ text }: Token): boolean {
  if (dayHalves.has(text)) return false
  return maybeFinal.has(text) || /^(?:\p{L}\.)*\p{L}$/u.test(text) || /^\d{1,2}$/.test(text)
}

function at(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0)
}

function match(sticky: RegExp, text: string, start: number): string {
  sticky.lastIndex = start
  return sticky.exec(text)?.[0] ?? ''
}
