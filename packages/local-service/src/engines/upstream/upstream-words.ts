import { hasSpeakable } from '@parlando/core/text'
import type { SpokenWord } from '../engine.ts'

/** Filters the times of words that another service sends. */
export interface UpstreamWords {
  /**
   * @param words with times in seconds from the start of the phrase, in any order.
   * @returns the words that start in the audio so far, in order. Words with impossible times, and words that start
   * before one returned earlier, are dropped.
   * @throws {Error} if there are more words than the text can have, because queued words need a limit.
   */
  take(words: readonly SpokenWord[], soundSeconds: number): SpokenWord[]
}

// A number is spoken as many words, which are longer than the number.
const maxCharactersOf = (text: string) => 100 + 10 * text.length

export function createUpstreamWords(phrase: { text: string; maxSeconds: number }): UpstreamWords {
  const { text, maxSeconds } = phrase
  let waiting: SpokenWord[] = []
  let characters = 0
  let lastSeconds = 0
  const isPossible = ({ startSeconds, endSeconds }: SpokenWord) =>
    startSeconds >= 0 && startSeconds <= endSeconds && endSeconds <= maxSeconds
  return {
    take(words, soundSeconds) {
      for (const word of words) {
        // Some models also send the times of white space and punctuation.
        if (!hasSpeakable(word.text)) continue
        characters += word.text.length
        if (isPossible(word)) waiting.push(word)
      }
      if (characters > maxCharactersOf(text)) {
        throw new Error(`it sends more words than a text of ${text.length} characters has`)
      }
      waiting.sort((one, other) => one.startSeconds - other.startSeconds)
      const begun = waiting.filter(({ startSeconds }) => startSeconds < soundSeconds)
      waiting = waiting.slice(begun.length)
      const taken = begun.filter(({ startSeconds }) => startSeconds >= lastSeconds)
      lastSeconds = taken.at(-1)?.startSeconds ?? lastSeconds
      return taken
    },
  }
}
