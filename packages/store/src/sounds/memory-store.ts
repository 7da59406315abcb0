import { LRUCache } from 'lru-cache'
import { defaultUnusedMs, type KeptSound, type SpeechStore } from './speech-store.ts'

/** The limits of a store in memory. */
export interface MemoryStoreOptions {
  /** Of all sounds together. */
  maxBytes: number
  /** How long a sound is kept that nobody uses. Default: 30 days. */
  maxUnusedMs?: number
}

/** What an entry takes besides its sound. */
const overheadBytes = 256

/** Keeps sounds until the process ends. */
export function createMemoryStore(options: MemoryStoreOptions): SpeechStore {
  const { maxBytes, maxUnusedMs = defaultUnusedMs } = options
  const sounds = new LRUCache<string, KeptSound>({
    maxSize: maxBytes,
    sizeCalculation: ({ audio, facts }) =>
      audio.length + 2 * JSON.stringify(facts).length + overheadBytes,
    ttl: maxUnusedMs,
    updateAgeOnGet: true,
  })
  return {
    get: async (key) => sounds.get(key),
    async add(key, sound) {
      sounds.purgeStale()
      sounds.set(key, sound)
    },
    async clear() {
      sounds.clear()
    },
    size: () => ({ sounds: sounds.size, bytes: sounds.calculatedSize }),
    close: async () => {},
  }
}
