import type { Sound } from '../../sounds/sound.ts'
import type { PublishedSound } from '../../sounds/sound-store.ts'
import { type Device, deviceError } from './device.ts'

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

/** How much sooner than a sound lasts a player may report its end: a moment before the last sample. */
const earlyEnd = { ms: 500, share: 0.02 }

/** @throws {SpeakerError} if a player that reports the end of a sound cannot have played all of it. */
export function checkWhole(
  device: Device,
  { durationSeconds = 0 }: Sound,
  { isSent }: FetchProgress,
  elapsedMs: number,
): void {
  const minMs = durationSeconds * 1000 * (1 - earlyEnd.share) - earlyEnd.ms
  if (!isSent || elapsedMs < minMs) throw deviceError(device, 'ended-early')
}
