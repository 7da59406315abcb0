import { hasUnspacedScript } from './scripts.ts'

/** How a word or a name is said. */
export interface Pronunciation {
  /** As it is written: one word or several, such as `Nguyen` or `New York`. */
  word: string
  /** Letters that a voice reads as the word sounds, such as `win`, or `/wɪn/` for a service that reads phonetic writing. */
  sayAs: string
}

/** A place in a text where an entry applies. */
export interface PronunciationMatch {
  /** The index after the word. */
  end: number
  sayAs: string
}

/** Between the letters of a word, the digits of 1.50 and the parts of "don't". */
const insideWord =
  /(?<=[\p{L}\p{M}\p{N}])(?=[\p{L}\p{M}\p{N}])|(?<=\p{N}[.,:])(?=\p{N})|(?<=\p{N})(?=[.,:]\p{N})|(?<=n)(?=['’]t(?![\p{L}\p{M}\p{N}]))/iuy

/** Whether a word continues may depend on this many UTF-16 code units before and after a place. */
export const wordContextCharacters = 4

/**
 * A list of pronunciations, prepared for the search in texts: a tree of letters, so the time of a search does not depend on the
 * number of entries.
 */
export class Pronunciations {
  readonly isEmpty: boolean
  readonly #root = createNode()

  /** Of two entries for the same word, the later one applies. */
  constructor(entries: readonly Pronunciation[]) {
    this.isEmpty = entries.length === 0
    for (const { word, sayAs } of entries) {
      const entry = { word: normalize(word.trim()), sayAs: sayAs.trim() }
      // In some texts, accents are characters of their own.
      for (const form of new Set([entry.word, entry.word.normalize('NFD')])) this.#add(form, entry)
    }
  }

  /**
   * Finds the longest entry at a place. Its words must be whole. Their case does not matter, with two exceptions: a word in
   * capitals, such as `IT`, must be written so, and an entry in exactly the case of the text precedes the others.
   *
   * @param isWhole whether no more text follows.
   * @returns `null` if no entry applies; `undefined` if only more text can decide.
   */
  find(text: string, start: number, isWhole: boolean): PronunciationMatch | null | undefined {
    let node = this.#root
    let found: PronunciationMatch | null = null
    for (let at = start; at < text.length; ) {
      // No entry begins with white space, of which a text may have a million characters.
      const character = at === start ? codePointAt(text, at) : characterAt(text, at)
      const next = step(node, character)
      if (!next) return found
      if (at === start) {
        // Whether an apostrophe is inside a word depends on what follows.
        if (!isWhole && text.length - start < wordContextCharacters) return undefined
        if (isInsideWord(text, start)) return null
      }
      node = next
      at += character.length
      const entry = chooseEntry(node.entries, text.slice(start, at))
      if (!entry) continue
      if (!isWhole && text.length - at < wordContextCharacters) return undefined
      if (!isInsideWord(text, at)) found = { end: at, sayAs: entry.sayAs }
    }
    return isWhole ? found : undefined
  }

  #add(form: string, entry: Pronunciation): void {
    let node = this.#root
    for (const character of form) node = step(node, character, createNode)!
    node.entries = [...node.entries.filter(({ word }) => word !== entry.word), entry]
  }
}

interface TreeNode {
  next: Map<string, TreeNode>
  entries: readonly Pronunciation[]
}

function createNode(): TreeNode {
  return { next: new Map(), entries: [] }
}

/** @returns the node of a character in any case. @param create makes one that does not exist. */
function step(from: TreeNode, character: string, create?: () => TreeNode): TreeNode | undefined {
  let node: TreeNode | undefined = from
  for (const unit of foldCase(character)) {
    const next: TreeNode | undefined = node.next.get(unit) ?? create?.()
    if (!next) return undefined
    node.next.set(unit, next)
    node = next
  }
  return node
}

/** Upper case first: the two forms of a sigma have the same, and so do ß and ss. */
function foldCase(character: string): string {
  return character.trim() === '' ? ' ' : character.toUpperCase().toLowerCase()
}

/** A character of one or two code units, or all white space. */
function characterAt(text: string, at: number): string {
  const space = /\s+/uy
  space.lastIndex = at
  return space.exec(text)?.[0] ?? codePointAt(text, at)
}

function codePointAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}

function chooseEntry(
  entries: readonly Pronunciation[],
  written: string,
): Pronunciation | undefined {
  if (entries.length === 0) return undefined
  const exact = normalize(written)
  return (
    entries.find(({ word }) => word === exact) ?? entries.findLast(({ word }) => !isCapitals(word))
  )
}

function normalize(word: string): string {
  return word.replace(/\s+/g, ' ').normalize('NFC')
}

function isCapitals(word: string): boolean {
  return word === word.toUpperCase() && word !== word.toLowerCase()
}

/** Whether a word continues over a place. Scripts without spaces do not show where a word ends. */
export function isInsideWord(text: string, at: number): boolean {
  insideWord.lastIndex = at
  if (!insideWord.test(text)) return false
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
  const after = [...text.slice(at, at + 2)][0] ?? ''
  return !hasUnspacedScript(before + after)
}
