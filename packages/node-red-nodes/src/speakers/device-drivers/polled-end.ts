import { abortableDelay } from '../../runtime/wait.ts'
import type { Sound } from '../../sounds/sound.ts'
import type { PublishedSound } from '../../sounds/to-play/sound-store.ts'
import type { Played, PlayOptions } from '../driver.ts'
import { type Device, deviceError } from '../network/device.ts'
import { notFetched } from '../speaker-error.ts'
import { checkWhole, type FetchProgress } from './fetch-progress.ts'

const pollMs = 100
/** Some devices begin late, or say for ever that they play: from then on, the length of the sound counts. */
const lateEndMs = 8_000

export interface PolledSound extends Pick<PlayOptions, 'signal' | 'onFirstSound'> {
  device: Device
  sound: Sound
  published: PublishedSound
  progress: FetchProgress
}

/** What a device says about the sound. */
export interface DeviceState {
  isPlaying: boolean
  isOver: boolean
  /** Why it cannot play it. */
  rejection?: string
}

/**
 * Asks a device again and again until it has played a sound.
 * @param look Asks the device. `hasBegun`: whether it has said before that it plays.
 * @param fetchLimitMs How long the device may take until it fetches the address.
 * @throws {SpeakerError} when the sound was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function untilPolledEnd(
  { device, signal, sound, published, progress, onFirstSound }: PolledSound,
  look: (hasBegun: boolean) => Promise<DeviceState>,
  fetchLimitMs: number,
): Promise<Played> {
  const calledAt = performance.now()
  let heardAt: number | undefined
  for (;;) {
    const { isPlaying, isOver, rejection } = await look(heardAt !== undefined)
    signal.throwIfAborted()
    if (progress.failure !== undefined) throw progress.failure
    if (rejection !== undefined) throw deviceError(device, 'rejected', rejection)
    const now = performance.now()
    if (isPlaying && progress.isFetched && heardAt === undefined) {
      heardAt = now
      onFirstSound()
    }
    if (!progress.isFetched && now - calledAt > fetchLimitMs)
      throw notFetched(device.RED, published.warning)
    const elapsedMs = now - (heardAt ?? calledAt)
    if (isOver && progress.isFetched) {
      checkWhole(device, sound, progress, elapsedMs)
      if (heardAt === undefined) onFirstSound()
      return { confirmedBy: 'player' }
    }
    if (progress.isSent && elapsedMs > (sound.durationSeconds ?? 0) * 1000 + lateEndMs) {
      if (heardAt === undefined) throw deviceError(device, 'no-response')
      return { confirmedBy: 'duration' }
    }
    await abortableDelay(pollMs, signal)
  }
}
