import { mapTimes, type SpokenWord } from '../engines/engine.ts'

/** @returns the word, shifted by a number of seconds, which may be negative. No time is before 0. */
export function shiftWord(word: SpokenWord, seconds: number): SpokenWord {
  return mapTimes(word, (time) => Math.max(0, time + seconds))
}

/** Keeps words until the audio in which they begin is sent. Words stay in the order of arrival. */
export interface WordTimeline {
  /** A word that starts before an earlier word, as can happen between two phrases, starts with that word. */
  push(words: readonly SpokenWord[]): void
  /** @returns the words that start before this time. */
  takeUntil(seconds: number): SpokenWord[]
  /** @returns all other words; their times are limited to the duration of the audio. */
  takeRest(soundSeconds: number): SpokenWord[]
}

export function createWordTimeline(): WordTimeline {
  let waiting: SpokenWord[] = []
  let lastSeconds = 0
  return {
    push(words) {
      for (const word of words) {
        lastSeconds = Math.max(lastSeconds, word.startSeconds)
        waiting.push(mapTimes(word, (seconds) => Math.max(lastSeconds, seconds)))
      }
    },
    takeUntil(seconds) {
      const taken = waiting.filter(({ startSeconds }) => startSeconds < seconds)
      waiting = waiting.slice(taken.length)
      return taken
    },
    takeRest(soundSeconds) {
      const rest = waiting.map((word) =>
        mapTimes(word, (seconds) => Math.min(seconds, soundSeconds)),
      )
      waiting = []
      return rest
    },
  }
}
