import { abortableDelay, rejectionOf, unlessAborted, withinTime } from '../../runtime/wait.ts'
import type { Sound } from '../../sounds/sound.ts'
import type { PublishedSound } from '../../sounds/to-play/sound-store.ts'
import type { Played } from '../driver.ts'
import { type Device, deviceError } from '../network/device.ts'
import { notFetched, type SpeakerError } from '../speaker-error.ts'
import { checkWhole, type FetchProgress, untilSent, watchFetch } from './fetch-progress.ts'

/** Some devices load software, or leave their standby, before they fetch an address. */
const defaultFetchLimitMs = 10_000
/** How much later than it lasts the end of a sound may be reported; from then on, its length counts. */
const lateEndMs = 8_000

export interface ReportedEndOptions {
  device: Device
  sound: Sound
  published: PublishedSound
  signal: AbortSignal
  /** Rejects when the connection to the device ends. */
  connectionEnded: Promise<never>
  /** How long the device may take until it fetches the address. Default: 10 s. */
  fetchLimitMs?: number
  onFirstSound(): void
}

/** The end of a sound that a device fetches, and which reports when it plays the sound and has played it. */
export class ReportedEnd {
  readonly #options: ReportedEndOptions
  readonly #progress: FetchProgress
  readonly #over = new AbortController()
  readonly #calledAt = performance.now()
  #heardAt: number | undefined

  constructor(options: ReportedEndOptions) {
    this.#options = options
    this.#progress = watchFetch(options.sound, options.published)
  }

  /** To be called when the device reports that it plays the sound. */
  noteFirstSound(): void {
    if (this.#heardAt !== undefined) return
    this.#heardAt = performance.now()
    this.#options.onFirstSound()
  }

  /**
   * @param reported Resolves when the device reports the end.
   * @throws what `reported` throws, and {@link SpeakerError} when the sound was not heard to its end; the error of the sound; the
   * reason of the signal.
   */
  async untilHeard(reported: Promise<void>): Promise<Played> {
    const { sound, signal, connectionEnded } = this.#options
    const outcomes = [
      this.#untilReported(reported),
      this.#untilLate(),
      this.#unlessNotFetched(),
      rejectionOf(sound.completed),
      connectionEnded,
    ]
    for (const outcome of outcomes) outcome.catch(() => {})
    try {
      return await unlessAborted(Promise.race(outcomes), signal)
    } finally {
      // Ends what still waits.
      this.#over.abort()
    }
  }

  async #untilReported(reported: Promise<void>): Promise<Played> {
    try {
      await reported
    } catch (error) {
      // A device that cannot reach the address says only that it cannot play it.
      const isRejected = (error as SpeakerError).code === 'SPEAKER_REFUSED'
      throw isRejected && !this.#progress.isFetched ? this.#notFetched() : error
    }
    const { device, sound } = this.#options
    const elapsedMs = performance.now() - (this.#heardAt ?? this.#calledAt)
    checkWhole(device, sound, this.#progress, elapsedMs)
    // A short sound may be over before the device reports that it plays.
    this.noteFirstSound()
    return { confirmedBy: 'player' }
  }

  /** Counts the length of the sound where its end is not reported. */
  async #untilLate(): Promise<Played> {
    const { device, sound, published } = this.#options
    const { signal } = this.#over
    await unlessAborted(sound.completed, signal)
    await untilSent(device.RED, sound, published.sent, signal)
    await abortableDelay((sound.durationSeconds ?? 0) * 1000 + lateEndMs, signal)
    if (this.#heardAt === undefined) throw deviceError(device, 'no-response')
    return { confirmedBy: 'duration' }
  }

  async #unlessNotFetched(): Promise<never> {
    const { published, fetchLimitMs = defaultFetchLimitMs } = this.#options
    const fetched = unlessAborted(published.fetched, this.#over.signal)
    await withinTime(fetchLimitMs, fetched, () => this.#notFetched())
    return new Promise(() => {})
  }

  #notFetched(): SpeakerError {
    const { device, published } = this.#options
    return notFetched(device.RED, published.warning)
  }
}
