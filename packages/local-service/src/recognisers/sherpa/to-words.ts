import type { RecognisedWord } from '../recogniser.ts'
import type { SherpaResult } from './sherpa-package.ts'

// sherpa-onnx reports only when a token begins.
const maxTokenSeconds = 0.25
/** Scripts without spaces, in which each character counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * Joins tokens into words. A word ends where the next one begins, or shortly after the beginning of its last token.
 * @returns undefined if the model reports no times, or tokens that are not parts of the text, such as single bytes.
 */
export function toWords(
  { text, tokens = [], timestamps = [] }: SherpaResult,
  durationSeconds: number,
): RecognisedWord[] | undefined {
  if (timestamps.length !== tokens.length || !isSameText(tokens.join(''), text)) return undefined
  const words: { text: string; startSeconds: number; lastSeconds: number }[] = []
  for (const [index, token] of tokens.entries()) {
    const seconds = Math.min(timestamps[index]!, durationSeconds)
    const last = words.at(-1)
    const isNew = !last || /^\s/.test(token) || unspaced.test(token) || unspaced.test(last.text)
    if (isNew) words.push({ text: token.trim(), startSeconds: seconds, lastSeconds: seconds })
    else {
      last.text += token.trim()
      last.lastSeconds = seconds
    }
  }
  return words.flatMap(({ text, startSeconds, lastSeconds }, index) => {
    const next = words[index + 1]?.startSeconds ?? durationSeconds
    const endSeconds = Math.min(next, lastSeconds + maxTokenSeconds)
    return text && endSeconds > startSeconds ? { text, startSeconds, endSeconds } : []
  })
}

function isSameText(one: string, other: string): boolean {
  return one.replace(/\s+/g, '') === other.replace(/\s+/g, '')
}
