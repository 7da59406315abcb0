import { markupEnd, withoutMarkdown } from '@parlando/core/text'
import { ServiceError } from '../errors/service-error.ts'
import { isDirection } from './directions.ts'
import { removeTags } from './tags.ts'

/** A part of a request's text: text to speak, or silence. */
export type ScriptPart = { text: string } | { silenceSeconds: number }

const maxBreakSeconds = 10
const maxBreaks = 100
const quotedCharacters = 40

const breakTag = /(<break\b[^<>]*>(?:\s*<\/break\s*>)?)/i
const breakTime = /^<break\s+time\s*=\s*(["'])(\d+(?:\.\d+)?)(ms|s)\1\s*\/?>/i

const verbatimTag = /<\/?verbatim\b[^<>]*>/i
/** Only words in square brackets. "[1]" and "[x+y]" stay as they are, and so does the label of a Markdown link. */
const bracketed = /\[(\p{L}[\p{L}\s,'’-]*)\](?!\()/gu
const reset = /\[\s*reset\s*\]/gi
/** Characters that only phonetic writing contains. "/kæt/" has one, but dates, paths and "/kat/" have none. */
const phoneticCharacter = /[\u0250-\u02af\u02c8\u02cc\u02d0æðŋθβχ]/

/**
 * Reads the markup in a text. Breaks become silence. `[reset]` is dropped, because directions have no effect here. Tags of
 * HTML and SSML and the syntax of Markdown are dropped too, and so are the brackets around words that are no direction.
 * @param field The name of the text field in the request, for error messages.
 * @throws {ServiceError} for invalid breaks, and for markup that the voices of this device cannot follow.
 */
export function readScript(text: string, field = 'text'): ScriptPart[] {
  const plain = text.replace(reset, ' ')
  rejectMarkup(plain, field)
  // `split` also returns the capturing group, so every second piece is a break.
  const pieces = plain.split(breakTag)
  if (pieces.length > maxBreaks * 2 + 1) {
    const count = (pieces.length - 1) / 2
    const message = `${field}: ${count} breaks; one request may have at most ${maxBreaks}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  return pieces.flatMap((piece, index): ScriptPart[] => {
    if (index % 2 === 1) return [{ silenceSeconds: readBreak(piece, field) }]
    const spoken = withoutMarkdown(removeTags(piece).replace(bracketed, '$1'))
    return spoken.trim() === '' ? [] : [{ text: spoken }]
  })
}

function readBreak(tag: string, field: string): number {
  const [, , amount, unit] = breakTime.exec(tag) ?? []
  const seconds = Number(amount) / (unit?.toLowerCase() === 'ms' ? 1000 : 1)
  if (seconds <= maxBreakSeconds) return seconds
  const message = `${field}: ${quote(tag)} is not a valid break; write <break time="300ms"/> or <break time="1.5s"/>, up to ${maxBreakSeconds} s each`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function rejectMarkup(text: string, field: string): void {
  const reject = (markup: string, why: string, instead: string) => {
    const message = `${field}: ${quote(markup)} is not supported, because the voices of this device ${why}; ${instead}`
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  const verbatim = verbatimTag.exec(text)?.[0]
  if (verbatim) {
    reject(verbatim, 'always speak numbers and abbreviations as words', 'leave the tags out')
  }
  for (const [request, words = ''] of text.matchAll(bracketed)) {
    if (!isDirection(words)) continue
    reject(request, 'cannot follow directions or make such sounds', 'leave it out')
  }
  const pronunciation = findPronunciation(removeTags(text))
  if (pronunciation) {
    reject(pronunciation, 'cannot read phonetic writing', 'spell the word as it sounds')
  }
}

function findPronunciation(text: string): string | undefined {
  for (let start = text.indexOf('/'); start >= 0; start = text.indexOf('/', start + 1)) {
    const pronunciation = text.slice(start, markupEnd(text, start, true))
    if (phoneticCharacter.test(pronunciation)) return pronunciation
  }
  return undefined
}

function quote(markup: string): string {
  return markup.length > quotedCharacters ? `${markup.slice(0, quotedCharacters)}…` : markup
}
