import { markupEnd } from './markup.ts'
import { type Pronunciations, wordContextCharacters } from './pronunciations.ts'

/** A word of a text, and the place of the letters that are spoken for it, in UTF-16 code units from the start of the text. */
export interface ReplacedWord {
  written: string
  start: number
  end: number
}

/** Markup that is longer is taken for text. It also limits the text that waits for its continuation. */
const maxMarkupCharacters = 2000

/** Puts pronunciations into a text that arrives in parts. Markup stays as it is. */
export class PronouncedText {
  readonly #list: Pronunciations
  readonly #onReplaced: (replaced: ReplacedWord) => void
  /** The end of the text that was returned, and the text that waits for its continuation. */
  #text = ''
  #at = 0
  #returnedCharacters = 0

  /** @param onReplaced called for each word in whose place other letters are spoken. */
  constructor(list: Pronunciations, onReplaced: (replaced: ReplacedWord) => void = () => {}) {
    this.#list = list
    this.#onReplaced = onReplaced
  }

  /** @returns the text that does not depend on what follows. The result does not depend on how the text is cut into parts. */
  push(part: string): string {
    if (this.#list.isEmpty) return part
    this.#text += part
    return this.#take(false)
  }

  /** @returns the rest. A next text begins after a space. */
  end(): string {
    const rest = this.#take(true)
    this.#text = ''
    this.#at = 0
    return rest
  }

  #take(isWhole: boolean): string {
    const text = this.#text
    let taken = ''
    let copied = this.#at
    let at = copied
    while (at < text.length) {
      // A text may arrive cut within a character, which is not decided before its other half.
      if (!isWhole && at === text.length - 1 && /[\ud800-\udbff]/.test(text.charAt(at))) break
      const isDecided = isWhole || text.length - at > maxMarkupCharacters
      const afterMarkup = endOfMarkup(text, at, isDecided)
      if (afterMarkup === undefined) break
      if (afterMarkup > at) {
        at = afterMarkup
        continue
      }
      const match = this.#list.find(text, at, isDecided)
      if (match === undefined) break
      if (match === null) {
        at += text.codePointAt(at)! > 0xffff ? 2 : 1
        continue
      }
      taken += text.slice(copied, at)
      const start = this.#returnedCharacters + taken.length
      const end = start + match.sayAs.length
      this.#onReplaced({ written: text.slice(at, match.end), start, end })
      taken += match.sayAs
      copied = match.end
      at = match.end
    }
    taken += text.slice(copied, at)
    this.#returnedCharacters += taken.length
    const kept = Math.max(0, at - wordContextCharacters)
    this.#text = text.slice(kept)
    this.#at = at - kept
    return taken
  }
}

/**
 * Puts the pronunciations of a list into a text.
 * @param onReplaced called for each word in whose place other letters are spoken.
 */
export function pronounce(
  list: Pronunciations,
  text: string,
  onReplaced?: (replaced: ReplacedWord) => void,
): string {
  if (list.isEmpty) return text
  const pronounced = new PronouncedText(list, onReplaced)
  return pronounced.push(text) + pronounced.end()
}

/** @returns the place itself where no markup begins; `undefined` if only more text can decide. */
function endOfMarkup(text: string, at: number, isWhole: boolean): number | undefined {
  if (!'[</'.includes(text.charAt(at))) return at
  // A part of the text, so that a text full of opening characters takes linear time. The character before it also matters.
  const from = Math.max(0, at - 1)
  const around = text.slice(from, at + maxMarkupCharacters)
  const length = markupEnd(around, at - from, isWhole)
  if (length === undefined) return undefined
  const end = from + length
  if (end === text.length && !isWhole) return undefined
  const isLink = text[at] === '[' && text[end] === '('
  return isLink ? at : end
}
