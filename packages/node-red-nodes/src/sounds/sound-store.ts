import type { Sound } from './sound.ts'

/** Sounds that players fetch from an address on Node-RED's own port, also while the sounds grow. */
export interface SoundStore {
  /** Gives a sound an address that nobody can guess. The oldest sounds lose theirs when there are too many. */
  publish(sound: Sound, options?: PublishOptions): PublishedSound
}

export interface PublishOptions {
  /** How a player receives the sound: as a file if it is complete soon, in any case as it grows, or only as a file. */
  response?: 'adaptive' | 'chunked' | 'file'
  /** The address that players see, such as `http://192.168.1.5:1880`. Default: that of the local network. */
  baseUrl?: string
}

export interface PublishedSound {
  url: string
  /** What may keep players from fetching this address, as a sentence. */
  warning?: string
  /** Resolves when the first player has begun to fetch the sound. */
  readonly fetched: Promise<void>
  /** Players can no longer fetch it. */
  remove(): void
}
