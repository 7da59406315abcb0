import type { SpokenWord } from '../engines/engine.ts'

/** Words that wait until the sound in which they begin is on its way, in the order in which they came. */
export interface WordTimeline {
  /** A word that begins before an earlier one, as at the joiner of two phrases, begins with that one. */
  push(words: readonly SpokenWord[]): void
  /** @returns those that begin before this moment. */
  takeUntil(seconds: number): SpokenWord[]
  /** @returns all others, which end with the sound at the latest. */
  takeRest(soundSeconds: number): SpokenWord[]
}

export function createWordTimeline(): WordTimeline {
  let waiting: SpokenWord[] = []
  let lastSeconds = 0
  return {
    push(words) {
      for (const { text, startSeconds, endSeconds } of words) {
        lastSeconds = Math.max(lastSeconds, startSeconds)
        const end = Math.max(lastSeconds, endSeconds)
        waiting.push({ text, startSeconds: lastSeconds, endSeconds: end })
      }
    },
    takeUntil(seconds) {
      const taken = waiting.filter(({ startSeconds }) => startSeconds < seconds)
      waiting = waiting.slice(taken.length)
      return taken
    },
    takeRest(soundSeconds) {
      const rest = waiting.map(({ text, startSeconds, endSeconds }) => ({
        text,
        startSeconds: Math.min(startSeconds, soundSeconds),
        endSeconds: Math.min(endSeconds, soundSeconds),
      }))
      waiting = []
      return rest
    },
  }
}
