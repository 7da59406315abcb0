import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { softerVolume } from '../../device-drivers/device-sound.ts'
import { ReportedEnd } from '../../device-drivers/reported-end.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { deviceError } from '../../network/device.ts'
import type { AudioClip } from './sonos-message.ts'
import type { SonosPlayer } from './sonos-player.ts'

/** After an abort, the announcer does not wait much longer. */
const stopLimitMs = 1_000

export interface ClipCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  sounds: SoundStore
  /** The address of Node-RED as the player sees it; empty: determined automatically. */
  address: string
  /** How long the player may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/**
 * Plays a sound over the music of a player.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playClip(player: SonosPlayer, sound: Sound, call: ClipCall): Promise<Played> {
  const { device, ended: connectionEnded } = player
  const { signal } = call
  const volume = await unlessAborted(clipVolume(player, call.volume), signal)
  const published = call.sounds.publish(sound, { address: call.address })
  const end = new ReportedEnd({ ...call, device, sound, published, connectionEnded })
  const clip = new ClipStatus(player, () => end.noteFirstSound())
  const loading = player.loadClip(published.url, volume)
  try {
    return await end.untilHeard(loading.then((id) => clip.untilEnd(id)))
  } catch (error) {
    // What the player has not received yet, it cannot play.
    published.remove()
    const cancelled = loading.then((id) => player.cancelClip(id))
    await withinTime(stopLimitMs, cancelled, () => error).catch(() => {})
    throw error
  } finally {
    clip.close()
    published.remove()
  }
}

/** @returns undefined for that of the music. */
async function clipVolume(player: SonosPlayer, percent: number): Promise<number | undefined> {
  const present = percent < 100 ? await player.readVolume() : undefined
  return present === undefined ? undefined : Math.round(softerVolume(present, percent))
}

/** Follows the clips of a player: the first status of one may come before the player has said its id. */
class ClipStatus {
  readonly close: () => void
  readonly #player: SonosPlayer
  readonly #onActive: () => void
  readonly #before: AudioClip[] = []
  #id: string | undefined
  #settle = { resolve() {}, reject(_error: unknown) {} }

  constructor(player: SonosPlayer, onActive: () => void) {
    this.#player = player
    this.#onActive = onActive
    this.close = player.onClip((clip) => {
      if (this.#id === undefined) this.#before.push(clip)
      else this.#note(clip)
    })
  }

  /** Resolves when the clip has been played. @throws {SpeakerError} when it was not, or not to its end. */
  untilEnd(id: string): Promise<void> {
    this.#id = id
    const ended = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    for (const clip of this.#before.splice(0)) this.#note(clip)
    return ended
  }

  #note({ id, status, errorCode }: AudioClip): void {
    if (id !== this.#id) return
    const { device } = this.#player
    if (status === 'ACTIVE') this.#onActive()
    if (status === 'DONE') this.#settle.resolve()
    if (status === 'ERROR') this.#settle.reject(deviceError(device, 'rejected', errorCode))
    if (status === 'DISMISSED' || status === 'INTERRUPTED')
      this.#settle.reject(deviceError(device, 'ended-early'))
  }
}
