import { type CodeFence, closesFence, openFence } from './code-fence.ts'
import { forcedCut } from './forced-cut.ts'
import { isLineEnd } from './line-end.ts'
import { markupEnd } from './markup.ts'
import { isTerminal, sentenceEnd } from './sentence-end.ts'

/** What can be set of a sentence cutter. */
export interface SentenceCutterOptions {
  /** Longest sentence, in UTF-16 code units, and so the most that is held back. At least 20. Default 400. */
  maxSentenceCharacters?: number
}

/** Takes a text bit by bit and gives it sentence by sentence. */
export interface SentenceCutter {
  /** Takes the next bit of the text. @returns the sentences that are now certain to have ended. */
  push(delta: string): string[]
  /** Takes the end of the text. @returns the rest. The cutter is then as new. */
  end(): string[]
}

/** How much of a line's beginning tells what kind of line it is. */
const lineHeadCharacters = 40

/**
 * Cuts a text that is still being written, such as the deltas of a language model, into sentences to speak, and hands
 * out each as soon as it is certain that it has ended; most often that is the first letter of the next one.
 *
 * The sentences are the same however the text is cut into deltas. Nothing is lost but white space around them and blocks
 * of code between fences, which nobody wants to hear. A sentence that would be longer than the limit is cut after a
 * clause or a word. Text inside `[…]`, `<…>` and `/…/` stays together. What has neither letter nor digit, such as a rule
 * or a picture, goes with the sentence after it; only at the end or before code can it stand alone.
 */
export function createSentenceCutter(options: SentenceCutterOptions = {}): SentenceCutter {
  const maxCharacters = Math.max(20, options.maxSentenceCharacters ?? 400)
  let held = ''
  let lineHead = ''
  let fence: CodeFence | undefined

  const drop = (characters: number): void => {
    const dropped = held.slice(0, characters)
    const newline = dropped.lastIndexOf('\n')
    lineHead = (newline < 0 ? lineHead + dropped : dropped.slice(newline + 1)).slice(
      0,
      lineHeadCharacters,
    )
    held = held.slice(characters)
  }

  /** @returns whether the block is over. */
  const passCode = (open: CodeFence, isWhole: boolean): boolean => {
    for (;;) {
      const newline = held.indexOf('\n')
      const isOver = newline >= 0 && closesFence(lineHead + held.slice(0, newline), open)
      // A line too long to close the block need not be kept until its end has come.
      if (newline >= 0 || isWhole || held.length > maxCharacters) {
        drop(newline >= 0 ? newline + 1 : held.length)
      }
      if (isOver || newline < 0) return isOver
    }
  }

  const takeSentence = (isWhole: boolean): string | undefined => {
    for (;;) {
      if (fence && !passCode(fence, isWhole)) return undefined
      fence = undefined
      drop(/^\s*/.exec(held)?.[0].length ?? 0)
      if (held === '') return undefined
      const isFull = held.length > maxCharacters
      const isAll = isWhole && !isFull
      const text = isAll ? held : withoutHalfCharacter(held.slice(0, maxCharacters))
      const opened = lineHead.trim() === '' ? openFence(text, isAll) : undefined
      if (opened === 'unknown' && !isFull) return undefined
      if (opened && opened !== 'unknown') {
        drop(held.indexOf('\n') + 1 || held.length)
        fence = opened
        continue
      }
      const cut =
        firstCut(text, lineHead, isAll) ??
        (isFull ? forcedCut(text) : isAll ? text.length : undefined)
      if (cut === undefined) return undefined
      drop(cut)
      return text.slice(0, cut).trim()
    }
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
      held += delta
      return takeSentences(false)
    },
    end() {
      const sentences = takeSentences(true)
      held = ''
      lineHead = ''
      fence = undefined
      return sentences
    },
  }
}

/** @returns the end of the first sentence of a text that begins with one, `undefined` when only more text can tell. */
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
      else if (isSpeakable(text.slice(0, end))) return end
      else index = end - 1
    }
    index++
  }
  return undefined
}

function isCutHere(before: string, rest: string): boolean {
  return isSpeakable(before) || /^[^\S\n]*(?:`{3}|~{3})/.test(rest)
}

function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** A character outside the basic plane may come in two halves, and half of one says nothing. */
function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
