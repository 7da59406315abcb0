/** The audio of sentences that were said before, up to a number of bytes. */
export interface SentenceCache {
  get(key: string): Uint8Array | undefined
  add(key: string, audio: Uint8Array): void
}

/** A longer text is probably never said again. */
export const maxSentenceBytes = 2 * 1024 * 1024
const defaultMaxBytes = 16 * 1024 * 1024

/** Creates a cache that forgets the sentence that was not said for the longest time. */
export function createSentenceCache(maxBytes = defaultMaxBytes): SentenceCache {
  // A Map keeps the order in which entries were added.
  const sentences = new Map<string, Uint8Array>()
  let bytes = 0

  const remove = (key: string) => {
    bytes -= sentences.get(key)?.length ?? 0
    sentences.delete(key)
  }
  const add = (key: string, audio: Uint8Array) => {
    remove(key)
    if (audio.length > maxBytes) return
    sentences.set(key, audio)
    bytes += audio.length
    for (const oldest of sentences.keys()) {
      if (bytes <= maxBytes) return
      remove(oldest)
    }
  }
  return {
    add,
    get(key) {
      const audio = sentences.get(key)
      if (audio) add(key, audio)
      return audio
    },
  }
}
