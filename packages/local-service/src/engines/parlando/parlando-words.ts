import { hasSpeakable } from '@parlando/core/text'
import type { SpokenPhone, SpokenWord } from '../engine.ts'

/** Filters the times of words that another service sends. */
export interface UpstreamWords {
  /**
   * @param words with times in seconds from the start of the phrase, in any order.
   * @returns the words that start in the audio so far, in order. Words with impossible times, and words that start
   * before one returned earlier, are dropped; so are impossible phones.
   * @throws {Error} if there are more words or phones than the text can have, because queued words need a limit.
   */
  take(words: readonly SpokenWord[], soundSeconds: number): SpokenWord[]
}

// This limits the characters of all words, and the phones. A number is spoken as many words, which are longer than the number.
const maxCountOf = (text: string) => 100 + 10 * text.length
// Longer than the names of all sounds and mouth shapes.
const maxPhoneCharacters = 16

export function createUpstreamWords(phrase: { text: string; maxSeconds: number }): UpstreamWords {
  const { text, maxSeconds } = phrase
  const max = maxCountOf(text)
  const tooMany = (what: string) =>
    new Error(`it sends more ${what} than a text of ${text.length} characters has`)
  let waiting: SpokenWord[] = []
  let characters = 0
  let lastSeconds = 0
  let phoneCount = 0
  const isPossible = ({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }) =>
    startSeconds >= 0 && startSeconds <= endSeconds && endSeconds <= maxSeconds
  const isPossiblePhone = (phone: SpokenPhone) =>
    isPossible(phone) &&
    Math.max(phone.symbol.length, phone.viseme?.length ?? 0) <= maxPhoneCharacters
  return {
    take(words, soundSeconds) {
      for (const word of words) {
        // Some models also send the times of white space and punctuation.
        if (!hasSpeakable(word.text)) continue
        characters += word.text.length
        phoneCount += word.phones?.length ?? 0
        if (!isPossible(word)) continue
        waiting.push(word.phones ? { ...word, phones: word.phones.filter(isPossiblePhone) } : word)
      }
      if (characters > max) throw tooMany('words')
      if (phoneCount > max) throw tooMany('phones')
      waiting.sort((one, other) => one.startSeconds - other.startSeconds)
      const begun = waiting.filter(({ startSeconds }) => startSeconds < soundSeconds)
      waiting = waiting.slice(begun.length)
      const taken = begun.filter(({ startSeconds }) => startSeconds >= lastSeconds)
      lastSeconds = taken.at(-1)?.startSeconds ?? lastSeconds
      return taken
    },
  }
}
