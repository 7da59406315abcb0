import type { SpokenWord } from '../engines/engine.ts'

/** The same word that many seconds later, or earlier where they are negative, but never before the start. */
export function shiftWord(word: SpokenWord, seconds: number): SpokenWord {
  const { text, startSeconds, endSeconds } = word
  return {
    text,
    startSeconds: Math.max(0, startSeconds + seconds),
    endSeconds: Math.max(0, endSeconds + seconds),
  }
}
