/** A word of a text and what the voice speaks for it; empty if the word is not spoken. */
export interface SpelledWord {
  written: string
  spoken: string
}

/** A word between two spaces, without the punctuation around it. */
export interface Word {
  /** Empty for the rest of a word that was split: the 5 of "No.5". */
  written: string
  before: string
  text: string
  after: string
}

/** Where a word stands. */
export interface WordPlace {
  words: readonly Word[]
  index: number
  /** Whether 5/4 is the fifth of April, as in Britain. */
  dayFirst: boolean
  /** Whether the text has no small letters. */
  isCapital: boolean
}

/** Spells out one kind of words. @returns `undefined` for other words. */
export type Rule = (text: string, place: WordPlace) => string | undefined

const opening = /^["'“‘„‚«»([{¿¡*]+/
/** The lookbehind prevents a second search of the same characters. */
const closing = /(?<![.,;:!?"'“”’«»)\]}…*])[.,;:!?"'“”’«»)\]}…*]+$/

export function readWord(written: string): Word {
  const before = opening.exec(written)?.[0] ?? ''
  const rest = written.slice(before.length)
  // A symbol between spaces.
  if (rest === '') return { written, before: '', text: written, after: '' }
  const after = closing.exec(rest)?.[0] ?? ''
  const text = rest.slice(0, rest.length - after.length).replace(/[₀-₉]/g, digitOfSubscript)
  return { written, before, text, after }
}

/**
 * Splits a word after an abbreviation that has no space after it.
 * @param start matches the abbreviation and its full stop.
 * @param isKnown receives the abbreviation without a full stop.
 */
export function splitWord(
  word: Word,
  start: RegExp,
  isKnown: (name: string) => boolean,
): readonly Word[] {
  const found = start.exec(word.text)?.[0] ?? ''
  const name = found.replace('.', '')
  const rest = word.text.slice(found.length)
  // "art.5.example"
  if (found === '' || /[._/@]\p{L}/u.test(rest) || !isKnown(name)) return [word]
  return [
    { ...word, text: name, after: found.slice(name.length) },
    { written: '', before: '', text: rest, after: word.after },
  ]
}

/** "CO₂" */
function digitOfSubscript(subscript: string): string {
  return String(subscript.charCodeAt(0) - 0x2080)
}

/** @returns the text of the word before this one; empty if a mark is between them, or at the start. */
export function textBefore({ words, index }: WordPlace): string {
  const word = words[index - 1]
  return word && word.after === '' ? word.text : ''
}

/** @returns the text of the word after this one; empty if a mark is between them, or at the end. */
export function textAfter({ words, index }: WordPlace): string {
  return words[index]!.after === '' ? (words[index + 1]?.text ?? '') : ''
}

/** Whether the word is the last one of its sentence. */
export function isLast({ words, index }: WordPlace): boolean {
  return index === words.length - 1
}

/** @param words with white space between them. */
export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
