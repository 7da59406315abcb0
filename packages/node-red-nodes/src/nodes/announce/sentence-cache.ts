import type { SpeechWarning } from '@parlando/core'

/** A sentence that was said before. */
export interface SpokenSentence {
  audio: Uint8Array
  warnings: readonly SpeechWarning[]
}

/** Sentences that were said before, up to a number of bytes of audio. */
export interface SentenceCache {
  get(key: string): SpokenSentence | undefined
  add(key: string, sentence: SpokenSentence): void
}

/** A longer text is probably never said again. */
export const maxSentenceBytes = 2 * 1024 * 1024
const defaultMaxBytes = 16 * 1024 * 1024

/** Creates a cache that forgets the sentence that was not said for the longest time. */
export function createSentenceCache(maxBytes = defaultMaxBytes): SentenceCache {
  // A Map keeps the order in which entries were added.
  const sentences = new Map<string, SpokenSentence>()
  let bytes = 0

  const remove = (key: string) => {
    bytes -= sentences.get(key)?.audio.length ?? 0
    sentences.delete(key)
  }
  const add = (key: string, sentence: SpokenSentence) => {
    remove(key)
    const { length } = sentence.audio
    if (length > maxBytes) return
    sentences.set(key, sentence)
    bytes += length
    for (const oldest of sentences.keys()) {
      if (bytes <= maxBytes) return
      remove(oldest)
    }
  }
  return {
    add,
    get(key) {
      const sentence = sentences.get(key)
      if (sentence) add(key, sentence)
      return sentence
    },
  }
}
