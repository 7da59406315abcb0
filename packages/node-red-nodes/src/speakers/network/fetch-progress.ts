import type { Sound } from '../../sounds/sound.ts'
import type { PublishedSound } from '../../sounds/sound-store.ts'

/** What our side knows about a player that fetches a sound: players take the end of a broken connection for a normal end. */
export interface FetchProgress {
  isFetched: boolean
  /** Whether the player has received the sound to its end. */
  isSent: boolean
  /** Why the sound could not be made. */
  failure: unknown
}

export function watchFetch(sound: Sound, { fetched, sent }: PublishedSound): FetchProgress {
  const progress: FetchProgress = { isFetched: false, isSent: false, failure: undefined }
  void fetched.then(() => {
    progress.isFetched = true
  })
  void sent.then(() => {
    progress.isSent = true
  })
  sound.completed.catch((error) => {
    progress.failure = error
  })
  return progress
}
