import { abortableDelay, rejectionOf, unlessAborted, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { PublishedSound, SoundStore } from '../../../sounds/sound-store.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { deviceError, shown } from '../../network/device.ts'
import {
  checkWhole,
  type FetchProgress,
  untilSent,
  watchFetch,
} from '../../network/fetch-progress.ts'
import { notFetched, type SpeakerError } from '../../speaker-error.ts'
import type { CastConnection } from './cast-connection.ts'
import { LoadedSound } from './loaded-sound.ts'
import { readMusic, resumeMusic } from './media.ts'
import { launch, readStatus } from './receiver.ts'
import { makeSofter } from './volume.ts'

/** A device loads software of its own before it fetches an address. */
const defaultFetchLimitMs = 10_000
/** How much later than it lasts the end of a sound may be reported; from then on, its length counts. */
const lateEndMs = 8_000

export interface DeviceCall
  extends Pick<PlayOptions, 'signal' | 'volume' | 'text' | 'onFirstSound'> {
  sounds: SoundStore
  /** The address of Node-RED as the device sees it; empty: determined automatically. */
  address: string
  /** How long the device may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/**
 * Plays a sound in the default media receiver, which then plays on what it played before. Other applications end.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playOnDevice(
  connection: CastConnection,
  sound: Sound,
  call: DeviceCall,
): Promise<Played> {
  const { signal } = call
  const before = await unlessAborted(readStatus(connection), signal)
  const app = before.app ?? (await unlessAborted(launch(connection), signal))
  connection.join(app.transportId)
  const music = before.app && (await unlessAborted(readMusic(connection, app), signal))
  const restoreVolume = await makeSofter(connection, before.volume, call.volume)
  const published = call.sounds.publish(sound, { address: call.address })
  const wait = new Wait(connection, sound, published, call)
  let loaded: LoadedSound | undefined
  try {
    signal.throwIfAborted()
    const media = mediaOf(sound, published, call.text)
    loaded = new LoadedSound(connection, app, media, () => wait.noteFirstSound())
    return await wait.untilHeard(loaded)
  } finally {
    wait.end()
    published.remove()
    // Whether the sound was heard counts more than whether the music continues.
    await loaded?.stop().catch(() => {})
    await restoreVolume().catch(() => {})
    if (music && !loaded?.isTakenOver) await resumeMusic(connection, app, music).catch(() => {})
  }
}

/** What the device is given. @param text The spoken text, which a television shows. */
function mediaOf(sound: Sound, { url }: PublishedSound, text = ''): object {
  return {
    contentId: url,
    contentType: sound.mediaType,
    streamType: 'BUFFERED',
    metadata: { metadataType: 0, title: shown(text) },
  }
}

/** Waits for the end of one sound. */
class Wait {
  readonly #connection: CastConnection
  readonly #sound: Sound
  readonly #published: PublishedSound
  readonly #call: DeviceCall
  readonly #progress: FetchProgress
  readonly #over = new AbortController()
  readonly #calledAt = performance.now()
  #heardAt: number | undefined

  constructor(
    connection: CastConnection,
    sound: Sound,
    published: PublishedSound,
    call: DeviceCall,
  ) {
    this.#connection = connection
    this.#sound = sound
    this.#published = published
    this.#call = call
    this.#progress = watchFetch(sound, published)
  }

  noteFirstSound(): void {
    this.#heardAt = performance.now()
    this.#call.onFirstSound()
  }

  async untilHeard(loaded: LoadedSound): Promise<Played> {
    const outcomes = [
      this.#untilReported(loaded),
      this.#untilLate(),
      this.#unlessNotFetched(),
      rejectionOf(this.#sound.completed),
      this.#connection.ended,
    ]
    for (const outcome of outcomes) outcome.catch(() => {})
    return unlessAborted(Promise.race(outcomes), this.#call.signal)
  }

  /** Ends what still waits. */
  end(): void {
    this.#over.abort()
  }

  async #untilReported({ ended }: LoadedSound): Promise<Played> {
    try {
      await ended
    } catch (error) {
      // A device that cannot reach the address says only that it cannot play it.
      const isRejected = (error as SpeakerError).code === 'SPEAKER_REFUSED'
      throw isRejected && !this.#progress.isFetched ? this.#notFetched() : error
    }
    const elapsedMs = performance.now() - (this.#heardAt ?? this.#calledAt)
    checkWhole(this.#connection.device, this.#sound, this.#progress, elapsedMs)
    // A short sound may be over before the device reports that it plays.
    if (this.#heardAt === undefined) this.noteFirstSound()
    return { confirmedBy: 'player' }
  }

  /** Counts the length of the sound where its end is not reported. */
  async #untilLate(): Promise<Played> {
    const { signal } = this.#over
    const { device } = this.#connection
    await unlessAborted(this.#sound.completed, signal)
    await untilSent(device.RED, this.#sound, this.#published.sent, signal)
    await abortableDelay((this.#sound.durationSeconds ?? 0) * 1000 + lateEndMs, signal)
    if (this.#heardAt === undefined) throw deviceError(device, 'no-response')
    return { confirmedBy: 'duration' }
  }

  async #unlessNotFetched(): Promise<never> {
    const { fetchLimitMs = defaultFetchLimitMs } = this.#call
    const fetched = unlessAborted(this.#published.fetched, this.#over.signal)
    await withinTime(fetchLimitMs, fetched, () => this.#notFetched())
    return new Promise(() => {})
  }

  #notFetched(): SpeakerError {
    return notFetched(this.#connection.device.RED, this.#published.warning)
  }
}
