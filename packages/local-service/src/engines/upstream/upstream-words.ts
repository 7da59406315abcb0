import { hasSpeakable } from '@parlando/core/text'
import type { SpokenWord } from '../engine.ts'

/** The times of words, as far as they can be true. */
export interface UpstreamWords {
  /**
   * @param words in seconds from the start of the phrase, as they came.
   * @returns in order, those that begin in the sound there is so far. One that is before what was given already, or
   * that is nowhere in the sound, never comes.
   * @throws {Error} when there are more than the text can have: what waits for its sound must have an end.
   */
  take(words: readonly SpokenWord[], soundSeconds: number): SpokenWord[]
}

// A number is many words, and they are longer than it.
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
        // Some models tell the times of white space and punctuation too.
        if (!hasSpeakable(word.text)) continue
        characters += word.text.length
        if (isPossible(word)) waiting.push(word)
      }
      if (characters > maxCharactersOf(text)) {
        throw new Error(`It sends more words than a text of ${text.length} characters has`)
      }
      waiting.sort((one, other) => one.startSeconds - other.startSeconds)
      const begun = waiting.filter(({ startSeconds }) => startSeconds < soundSeconds)
      waiting = waiting.slice(begun.length)
      const given = begun.filter(({ startSeconds }) => startSeconds >= lastSeconds)
      lastSeconds = given.at(-1)?.startSeconds ?? lastSeconds
      return given
    },
  }
}
