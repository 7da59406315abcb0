/** A sound from its first to its last byte. */
export interface KeptSound {
  audio: Uint8Array
  /** What its readers know about it: data that JSON can express. */
  facts: Readonly<Record<string, unknown>>
}

/** How much a store contains. */
export interface StoreSize {
  sounds: number
  bytes: number
}

/** Keeps sounds. No method but `close` waits long, and none throws: what cannot be kept is made again. */
export interface SpeechStore {
  /** @param key From `soundKey`. @returns nothing if the store has no such sound, or does not respond in time. */
  get(key: string): Promise<KeptSound | undefined>
  /** Keeps a sound, whose bytes must not change any more. Resolves when it is kept, or cannot be kept. */
  add(key: string, sound: KeptSound): Promise<void>
  /** Deletes all sounds. */
  clear(): Promise<void>
  /** @returns nothing if the store does not count its sounds, as in Redis. */
  size(): StoreSize | undefined
  /** Ends what is in progress. Files and entries of Redis remain. */
  close(): Promise<void>
}

/** For a sound that nobody has used: 30 days. */
export const defaultUnusedMs = 30 * 24 * 60 * 60_000
