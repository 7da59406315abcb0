import type { Texts } from '../../runtime/texts.ts'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import type { Sound } from '../../sounds/sound.ts'
import type { PublishedSound } from '../../sounds/to-play/sound-store.ts'
import { type Device, deviceError } from '../network/device.ts'
import { SpeakerError } from '../speaker-error.ts'

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

/** A player reads a sound at most this much more slowly than it plays it. */
const maxReadDelayMs = 10_000

/**
 * Waits until a player has received a whole sound, which is complete.
 * @throws {SpeakerError} when that takes too long; the reason of the signal.
 */
export function untilSent(
  RED: Texts,
  { durationSeconds = 0 }: Sound,
  sent: PublishedSound['sent'],
  signal: AbortSignal,
): Promise<void> {
  const limitMs = durationSeconds * 1000 + maxReadDelayMs
  const late = () =>
    new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.not-fetched-whole'))
  return withinTime(limitMs, unlessAborted(sent, signal), late)
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
