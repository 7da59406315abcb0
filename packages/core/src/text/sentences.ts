import { type CodeFence, closesFence, openFence } from './code-fence.ts'
import { forcedCut } from './forced-cut.ts'
import { isLineEnd } from './line-end.ts'
import { markupEnd } from './markup.ts'
import { openingEnd } from './opening.ts'
import { isTerminal, sentenceEnd } from './sentence-end.ts'
import { hasSpeakable } from './words.ts'

/** Options of a sentence cutter. */
export interface SentenceCutterOptions {
  /** Longest sentence, which also limits the text held back. In UTF-16 code units, at least 20. Default 400. */
  maxSentenceCharacters?: number
  /**
   * Returns the start of the first sentence separately, so that speech can begin early: from this many letters on, up to a
   * place where a speaker may pause. Default: the first sentence stays whole.
   */
  openingCharacters?: number
}

/** Takes a text in deltas and returns it in sentences. */
export interface SentenceCutter {
  /** Takes the next part of the text. @returns the sentences that have certainly ended. */
  push(delta: string): string[]
  /** Ends the text and resets the cutter for another one. @returns the remaining sentences. */
  end(): string[]
}

/** The start of a line shows whether it is a heading, list item, table row or quote. */
const lineHeadCharacters = 40

/**
 * Cuts a text that is still being written, such as the deltas of a language model, into sentences to speak. The cutter
 * releases each sentence as soon as it has certainly ended, usually with the first letter of the next one.
 *
 * The sentences do not depend on how the text is split into deltas. The cutter drops only the white space around the
 * sentences and fenced code blocks, which are not meant to be spoken. It cuts a sentence that exceeds the limit after a
 * clause or a word, but never inside `[…]`, `<…>` and `/…/`. Text without a letter or digit, such as a rule or an emoji,
 * joins the next sentence; it is returned separately only at the end or before code.
 */
export function createSentenceCutter(options: SentenceCutterOptions = {}): SentenceCutter {
  const maxCharacters = Math.max(20, options.maxSentenceCharacters ?? 400)
  const { openingCharacters } = options
  const held = new HeldText(maxCharacters)
  let isOpening = true

  /** @returns the index after the sentence in this text, or after its opening. */
  const cutOf = (text: string, isAll: boolean, isFull: boolean): number | undefined => {
    const end =
      firstCut(text, held.lineHead, isAll) ??
      (isFull ? forcedCut(text) : isAll ? text.length : undefined)
    // The text also contains what follows the sentence, which may decide whether a slash in it opens a pronunciation.
    const opening = isOpening && openingCharacters ? openingEnd(text, openingCharacters) : undefined
    return opening !== undefined && opening < (end ?? Number.POSITIVE_INFINITY) ? opening : end
  }

  const takeSentence = (isWhole: boolean): string | undefined => {
    while (held.skipToSentence(isWhole)) {
      const isFull = held.text.length > maxCharacters
      const isAll = isWhole && !isFull
      const text = isAll ? held.text : withoutLoneSurrogate(held.text.slice(0, maxCharacters))
      const opened = held.lineHead.trim() === '' ? openFence(text, isAll) : undefined
      if (opened === 'unknown' && !isFull) return undefined
      if (opened && opened !== 'unknown') {
        held.beginCode(opened)
        continue
      }
      const cut = cutOf(text, isAll, isFull)
      if (cut === undefined) return undefined
      isOpening = false
      held.drop(cut)
      return text.slice(0, cut).trim()
    }
    return undefined
  }

  const takeSentences = (isWhole: boolean): string[] => {
    const sentences: string[] = []
    for (;;) {
      const sentence = takeSentence(isWhole)
      if (sentence === undefined) return sentences
      sentences.push(sentence)
    }
  }

  return {
    push(delta) {
      held.text += delta
      return takeSentences(false)
    },
    end() {
      const sentences = takeSentences(true)
      held.clear()
      isOpening = true
      return sentences
    },
  }
}

/** The text that no sentence contains yet. */
class HeldText {
  text = ''
  /** The start of the line before the text. */
  lineHead = ''
  readonly #maxCharacters: number
  #fence: CodeFence | undefined

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  drop(characters: number): void {
    const dropped = this.text.slice(0, characters)
    const newline = dropped.lastIndexOf('\n')
    const line = newline < 0 ? this.lineHead + dropped : dropped.slice(newline + 1)
    this.lineHead = line.slice(0, lineHeadCharacters)
    this.text = this.text.slice(characters)
  }

  /** Drops the line that opens a code block. */
  beginCode(fence: CodeFence): void {
    this.drop(this.text.indexOf('\n') + 1 || this.text.length)
    this.#fence = fence
  }

  /** Drops code and white space. @returns whether there is other text. */
  skipToSentence(isWhole: boolean): boolean {
    if (this.#fence && !this.#passCode(this.#fence, isWhole)) return false
    this.#fence = undefined
    this.drop(/^\s*/.exec(this.text)?.[0].length ?? 0)
    return this.text !== ''
  }

  clear(): void {
    this.text = ''
    this.lineHead = ''
    this.#fence = undefined
  }

  /** @returns whether the code block has ended. */
  #passCode(open: CodeFence, isWhole: boolean): boolean {
    for (;;) {
      const newline = this.text.indexOf('\n')
      const isOver = newline >= 0 && closesFence(this.lineHead + this.text.slice(0, newline), open)
      // A line this long cannot close the block, so there is no need to hold it back.
      if (newline >= 0 || isWhole || this.text.length > this.#maxCharacters) {
        this.drop(newline >= 0 ? newline + 1 : this.text.length)
      }
      if (isOver || newline < 0) return isOver
    }
  }
}

/** @returns the end of the first sentence, or `undefined` if only more text can decide. */
function firstCut(text: string, lineHead: string, isWhole: boolean): number | undefined {
  let line = lineHead
  let lineStart = 0
  let index = 0
  while (index < text.length) {
    const markup = markupEnd(text, index, isWhole)
    if (markup === undefined) return undefined
    if (markup > index) {
      index = markup
      continue
    }
    const character = text.charAt(index)
    if (character === '\n') {
      const rest = text.slice(index + 1)
      const isEnd = isLineEnd(line + text.slice(lineStart, index), rest, isWhole)
      if (isEnd === undefined) return undefined
      if (isEnd && isCutHere(text.slice(0, index), rest)) return index
      line = ''
      lineStart = index + 1
    } else if (isTerminal(character)) {
      const end = sentenceEnd(text, index, isWhole)
      if (end === 'unknown') return undefined
      if (end === 'none') while (isTerminal(text.charAt(index + 1))) index++
      else if (hasSpeakable(text.slice(0, end))) return end
      else index = end - 1
    }
    index++
  }
  return undefined
}

function isCutHere(before: string, rest: string): boolean {
  return hasSpeakable(before) || /^[^\S\n]*(?:`{3}|~{3})/.test(rest)
}

/** A delta may end between the two surrogates of a character; the first one waits for the second. */
function withoutLoneSurrogate(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
