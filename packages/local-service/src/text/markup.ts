import { ServiceError } from '../errors.ts'

/** A stretch of text to speak, or of silence. */
export type ScriptPart = { text: string } | { silenceSeconds: number }

const longestBreakSeconds = 10
const maxBreaks = 100
const quotedCharacters = 40

const breakTag = /(<break\b[^<>]*>(?:\s*<\/break\s*>)?)/i
const breakTime = /^<break\s+time\s*=\s*(["'])(\d+(?:\.\d+)?)(ms|s)\1\s*\/?>/i

const verbatimTag = /<\/?verbatim\b[^<>]*>/i
// Words and no more in square brackets: "[laugh]", "[say it softly, please]". What holds a digit or a sign is text,
// "[1]" or "[x+y]", and so is the name of a Markdown link, "[the manual](https://…)".
const direction = /\[(\p{L}[\p{L}\s,'’-]*)\](?!\()/giu
const reset = /\[\s*reset\s*\]/gi
// Between slashes where a word could stand, and with a letter or sign that only phonetic writing has: "/kæt/". Dates,
// "and/or", paths and addresses have none; so "/kat/" is text.
const phones =
  /(?<![\p{L}\p{N}/:.~])\/(?=[^/\n]*[\u0250-\u02af\u02c8\u02cc\u02d0æðŋθβχ])[^/\n]{1,80}\/(?![\p{L}\p{N}/])/u

/**
 * Reads the markup in a text: breaks become silence, `[reset]` goes, since nothing here is set by directions, and all
 * else is text as it stands.
 * @throws {ServiceError} for breaks that are wrong, and for markup that the voices of this device cannot follow.
 */
export function readScript(text: string): ScriptPart[] {
  const plain = text.replace(reset, ' ')
  rejectMarkup(plain)
  // The capturing group makes every second piece a break.
  const pieces = plain.split(breakTag)
  if (pieces.length > maxBreaks * 2 + 1) {
    const count = (pieces.length - 1) / 2
    const message = `text: ${count} breaks are more than the ${maxBreaks} that one request may have`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  return pieces.flatMap((piece, index): ScriptPart[] => {
    if (index % 2 === 1) return [{ silenceSeconds: readBreak(piece) }]
    return piece.trim() === '' ? [] : [{ text: piece }]
  })
}

function readBreak(tag: string): number {
  const [, , amount, unit] = breakTime.exec(tag) ?? []
  const seconds = Number(amount) / (unit?.toLowerCase() === 'ms' ? 1000 : 1)
  if (seconds <= longestBreakSeconds) return seconds
  const message = `text: ${quote(tag)} is no break; write <break time="300ms"/> or <break time="1.5s"/>, up to ${longestBreakSeconds} s each`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function rejectMarkup(text: string): void {
  const verbatim = verbatimTag.exec(text)?.[0]
  if (verbatim) {
    throw cannot(verbatim, 'always speak numbers and abbreviations as words', 'leave the tags out')
  }
  const asked = text.match(direction)?.[0]
  if (asked) {
    throw cannot(asked, 'cannot follow directions or make such sounds', 'leave it out')
  }
  const pronunciation = phones.exec(text)?.[0]
  if (pronunciation) {
    throw cannot(pronunciation, 'cannot read phonetic writing', 'spell the word as it sounds')
  }
}

function cannot(markup: string, why: string, instead: string): ServiceError {
  const message = `text: ${quote(markup)} is not possible, because the voices of this device ${why}; ${instead}`
  return new ServiceError('UNIMPLEMENTED', message)
}

function quote(markup: string): string {
  return markup.length > quotedCharacters ? `${markup.slice(0, quotedCharacters)}…` : markup
}
