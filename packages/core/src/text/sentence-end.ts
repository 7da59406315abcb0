import {
  beforeNumber,
  hourHalves,
  maybeFinal,
  neverFinal,
  sentenceStarters,
} from './abbreviations.ts'

/** Where a sentence ends, that it does not end here, or that only more text can tell. */
export type SentenceEnd = number | 'none' | 'unknown'

export function isTerminal(character: string): boolean {
  if (character < '\x80') return character === '.' || character === '!' || character === '?'
  return /[…‼⁇⁈⁉]|\p{Sentence_Terminal}/u.test(character)
}

const terminals = /(?:[.…!?‼⁇⁈⁉]|\p{Sentence_Terminal})+/uy
/** Terminals that need no space after them. */
const wideTerminals = /[。！？｡﹗﹖]/
/** Quotes, brackets, emphasis and pictures that still belong to the sentence. */
const closers =
  /(?:["'”’“‘»«›‹)\]}）」』】〉》*_`~]|\ufe0f|\u200d|[\u00a0\u202f]»|[ \u00a0]?[\p{Extended_Pictographic}\p{Regional_Indicator}]|\p{Emoji_Modifier})*/uy
/** The same where no space is needed: what could as well open the next sentence is left to that. */
const wideClosers = /["'”’»›)\]}）」』】〉》*_`~]*/y
const quotesOrBrackets = /["'”’“‘»«›‹)\]}]/
const openers = /["'“‘„«»‹›(「『*_¿¡`~]*/uy
const word = /[\p{L}\p{M}’']+/uy

/**
 * Whether the run of terminal characters that begins at `start` ends the sentence that begins at 0.
 *
 * What it says about a text holds for every longer one, except that 'unknown' becomes known. That is why the rules are
 * here: `Intl.Segmenter` wants the whole text and changes its mind about an end when more comes.
 *
 * @param isWhole whether `text` is all there will be.
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
  if (gap === '') return isStrong && isChineseOrJapanese(at(text, end)) ? end : 'none'
  const isQuoteClosed = quotesOrBrackets.test(tail)
  const token = run === '.' && !isQuoteClosed ? tokenBefore(text, start) : undefined
  if (gap.includes('\n')) return token && isNeverFinal(token) ? 'none' : end
  const next = end + gap.length
  if (next === text.length) return isWhole ? end : 'unknown'
  if (isStrong && !isQuoteClosed) return end
  if (token && isNeverFinal(token)) return 'none'
  return goesOn(text, next, { run, token, isStrong, isWhole }, end)
}

interface Before {
  run: string
  /** What a single full stop stands after. */
  token: Token | undefined
  isStrong: boolean
  isWhole: boolean
}

/** Decides by what comes after the space: a small letter goes on with the sentence, the rest depends. */
function goesOn(text: string, gapEnd: number, before: Before, end: number): SentenceEnd {
  const { run, token, isStrong, isWhole } = before
  const start = gapEnd + match(openers, text, gapEnd).length
  if (start === text.length) return isWhole ? end : 'unknown'
  const next = at(text, start)
  if (/\p{Ll}|[,;:]/u.test(next)) return 'none'
  if (isStrong) return end
  if (token && /\p{N}/u.test(next)) return isFollowedByNumber(token) ? 'none' : end
  const isEllipsis = run !== '.'
  // After an ellipsis "I" proves nothing, being a capital in any place of a sentence.
  if (isEllipsis ? next !== 'I' : !token || !needsStarter(token)) return end
  const nextWord = match(word, text, start)
  if (nextWord === '') return end
  if (!isWhole && start + nextWord.length === text.length) return 'unknown'
  if (isEllipsis) return /^I(?:['’]|$)/.test(nextWord) ? 'none' : end
  return sentenceStarters.has(nextWord.toLowerCase()) ? end : 'none'
}

/** 「…」と is a quote inside a longer sentence. */
function wideEnd(text: string, end: number, tail: string): SentenceEnd {
  return tail !== '' && /[とっ、，,]/.test(at(text, end)) ? 'none' : end
}

interface Token {
  /** Without what opens it, in small letters: `e.g`, `dr`, `3.5`. */
  text: string
  /** Whether nothing is said before it. */
  isFirst: boolean
}

function tokenBefore(text: string, end: number): Token {
  let start = end
  while (start > 0 && text.charAt(start - 1).trim() !== '') start--
  return {
    text: text
      .slice(start, end)
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .toLowerCase(),
    isFirst: !/[\p{L}\p{N}]/u.test(text.slice(0, start)),
  }
}

function isNeverFinal({ text, isFirst }: Token): boolean {
  // "1. First" is an item of a list, and so is "b. Second".
  return neverFinal.has(text) || (isFirst && /^(?:\d{1,3}|[a-h])$/.test(text))
}

function isFollowedByNumber({ text }: Token): boolean {
  return beforeNumber.has(text) || /^\d{1,2}$/.test(text)
}

/** Abbreviations, initials, and small numbers, which may be ordinal ("am 3. Mai"). */
function needsStarter({ text }: Token): boolean {
  if (hourHalves.has(text)) return false
  return maybeFinal.has(text) || /^(?:\p{L}\.)*\p{L}$/u.test(text) || /^\d{1,2}$/.test(text)
}

function isChineseOrJapanese(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)
}

function at(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0)
}

function match(sticky: RegExp, text: string, start: number): string {
  sticky.lastIndex = start
  return sticky.exec(text)?.[0] ?? ''
}
