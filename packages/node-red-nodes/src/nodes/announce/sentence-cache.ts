import type { Client, SpeechWarning } from '@parlando/core'

/** A service with other settings has another client, and so another cache. */
const caches = new WeakMap<Client, SentenceCache>()

/** The sentences that a client has made. */
export function cacheOf(client: Client): SentenceCache {
  const cache = caches.get(client) ?? createSentenceCache()
  caches.set(client, cache)
  return cache
}

/** @returns nothing for a request that is not JSON, such as one with a circular reference: the client rejects it. */
export function keyOf(request: object): string | undefined {
  // As JSON, a large Buffer would hold the event loop.
  if (Object.values(request).some(ArrayBuffer.isView)) return undefined
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}

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
function createSentenceCache(maxBytes = defaultMaxBytes): SentenceCache {
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
