import type { Texts } from '../../../runtime/texts.ts'
import {
  abortableDelay,
  rejectionOf,
  unlessAborted,
  withinTime,
  withTimeLimit,
} from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type {
  PublishedSound,
  PublishOptions,
  SoundStore,
} from '../../../sounds/to-play/sound-store.ts'
import { untilSent } from '../../device-drivers/fetch-progress.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { notFetched, SpeakerError } from '../../speaker-error.ts'
import type { Entity } from './entity.ts'
import { problem } from './speaker-problem.ts'
import type { EntityTarget } from './target.ts'

/** Some devices start an application, or leave their standby, before they fetch an address. */
const defaultFetchLimitMs = 10_000
/** From the last byte to the last sample, a player needs some time more than the sound lasts. */
const marginMs = 1_000
/** How much later than that the end of a sound may be reported. */
const maxEndDelayMs = 10_000
/** The device would notice shorter intervals. */
const refreshEveryMs = 250
/** After an abort, the announcer does not wait much longer. */
const stopLimitMs = 1_000
/** The music resumes within this time, also while Home Assistant starts again. */
const restoreLimitMs = 5_000

export interface TargetOptions {
  RED: Texts
  entity: Entity
  target: EntityTarget
  sounds: SoundStore
  publish: PublishOptions
  /** How long the device may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/** Plays a sound on an entity to its end, and then restores what the entity did before. */
export async function playOnTarget(
  options: TargetOptions,
  sound: Sound,
  { signal, onFirstSound }: PlayOptions,
): Promise<Played> {
  const { target, sounds, publish } = options
  signal.throwIfAborted()
  const over = new AbortController()
  const published = sounds.publish(sound, publish)
  const playback = new Playback(options, published, AbortSignal.any([signal, over.signal]))
  try {
    await target.prepare(signal)
    signal.throwIfAborted()
    playback.start()
    return await Promise.race([playback.untilHeard(sound, onFirstSound), playback.failed(sound)])
  } catch (error) {
    // What the player has not received yet, it cannot play.
    published.remove()
    if (playback.hasStarted) await attempt(stopLimitMs, () => target.stop(published.url))
    throw error
  } finally {
    over.abort()
    published.remove()
    await attempt(restoreLimitMs, async () => {
      await options.entity.open(AbortSignal.timeout(restoreLimitMs))
      await target.restore()
    })
  }
}

/** One sound on its way to a device. */
class Playback {
  hasStarted = false
  readonly #options: TargetOptions
  readonly #published: PublishedSound
  readonly #signal: AbortSignal
  /** Ends with the call of Home Assistant. */
  #call: Promise<void> = Promise.resolve()
  #callEndedAt = Number.POSITIVE_INFINITY
  #isFetched = false
  /** Whether the state of the device has shown the sound. */
  #wasShown = false

  constructor(options: TargetOptions, published: PublishedSound, signal: AbortSignal) {
    this.#options = options
    this.#published = published
    this.#signal = signal
  }

  start(): void {
    const { target, entity } = this.#options
    this.hasStarted = true
    this.#call = target.start(this.#published.url)
    const noteEnd = () => {
      this.#callEndedAt = performance.now()
    }
    this.#call.then(noteEnd, noteEnd)
    if (!target.isPlaying) return
    const noteShown = () => {
      this.#wasShown = true
    }
    entity.until(target.isPlaying(this.#published.url), this.#signal).then(noteShown, () => {})
  }

  /** Rejects if the device or the sound fails. */
  async failed(sound: Sound): Promise<never> {
    const { RED, entity, target } = this.#options
    const isGone = entity.until(({ state }) => state === 'unavailable', this.#signal)
    const gone = isGone.then(() => {
      throw problem(RED, 'unavailable', { name: entity.state?.name || entity.id })
    })
    const failures = [gone, rejectionOf(sound.completed), this.#failedCall()]
    if (target.isFetchedByHomeAssistant) failures.push(entity.ended)
    return Promise.race(failures)
  }

  async untilHeard(sound: Sound, onFirstSound: () => void): Promise<Played> {
    const signal = this.#signal
    const { fetched, sent } = this.#published
    const { publish, fetchLimitMs = defaultFetchLimitMs, RED } = this.#options
    await withinTime(fetchLimitMs, unlessAborted(fetched, signal), () => this.#notFetched())
    this.#isFetched = true
    const fetchedAt = performance.now()
    onFirstSound()
    await unlessAborted(sound.completed, signal)
    const durationMs = (sound.durationSeconds ?? 0) * 1000
    await untilSent(RED, sound, sent, signal)
    const startedAt = publish.response === 'file' ? performance.now() : fetchedAt
    await abortableDelay(Math.max(0, startedAt + durationMs - performance.now()), signal)
    if (await this.#isEndReported(startedAt + 0.8 * durationMs)) return { confirmedBy: 'player' }
    await abortableDelay(marginMs, signal)
    return { confirmedBy: 'duration' }
  }

  /**
   * Waits for the end that Home Assistant reports, now that the sound may be over.
   * @param lateAt A call that ended after this time ended with the sound.
   */
  async #isEndReported(lateAt: number): Promise<boolean> {
    const { target, entity } = this.#options
    const limit = withTimeLimit(maxEndDelayMs, this.#signal)
    try {
      if (!target.isPlaying || !this.#wasShown) {
        await unlessAborted(this.#call, limit)
        return this.#callEndedAt > lateAt
      }
      const isPlaying = target.isPlaying(this.#published.url)
      while (entity.state && isPlaying(entity.state)) {
        await entity.refresh()
        const over = entity.until((state) => !isPlaying(state), limit)
        await Promise.race([over, abortableDelay(refreshEveryMs, limit)])
      }
      return true
    } catch {
      // Home Assistant is gone, or reports no end.
      this.#signal.throwIfAborted()
      return false
    }
  }

  /** Rejects if Home Assistant has rejected the call. A device that has fetched the sound plays it without Home Assistant. */
  #failedCall(): Promise<never> {
    const { entity, target } = this.#options
    return new Promise((_resolve, reject) => {
      this.#call.catch((error) => {
        const playsOn = this.#isFetched && !entity.isOpen && !target.isFetchedByHomeAssistant
        if (!playsOn) reject(error)
      })
    })
  }

  #notFetched(): SpeakerError {
    const { RED, entity } = this.#options
    const name = entity.state?.name || entity.id
    if (this.#callEndedAt === Number.POSITIVE_INFINITY) {
      return new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.no-response', { name }))
    }
    return notFetched(RED, this.#published.warning)
  }
}

/** Does what the result of the playback does not depend on. */
async function attempt(limitMs: number, work: () => Promise<void>): Promise<void> {
  await withinTime(limitMs, work(), () => new Error('took too long')).catch(() => {})
}
