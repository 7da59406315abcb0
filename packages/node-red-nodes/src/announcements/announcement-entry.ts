import type { Texts } from '../runtime/texts.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type {
  Announcement,
  AnnouncementReport,
  AnnounceOptions,
  NotSaidReason,
  Priority,
} from './announcement.ts'
import type { QueueEntry } from './announcement-queue.ts'
import { playOnSpeakers } from './play-on-speakers.ts'
import { applyQuietHours, type Target } from './quiet-hours.ts'
import { findSubstitutes, type SpeakerResult } from './substitutes.ts'

const defaultExpiryMs: Readonly<Record<Priority, number>> = {
  info: 60_000,
  normal: 300_000,
  urgent: 300_000,
  alarm: Infinity,
}
/** While quiet hours hold an announcement, the announcer reads the clock again: somebody may set it. */
const clockCheckMs = 30_000

/** Why somebody, or another announcement, has ended a playback. */
type EndReason = 'stopped' | 'interrupted' | 'acknowledged'

/** An announcement until it is over: it waits, plays, and may rest before it is repeated. */
export class AnnouncementEntry implements QueueEntry {
  readonly announcement: Announcement
  readonly priority: Priority
  readonly isPart: boolean
  readonly isMusic: boolean
  /** Resolves when it is over; rejects if it could not be said. */
  readonly report: Promise<AnnouncementReport>
  order: number
  devices: readonly string[] = []
  overMusic: readonly string[] = []
  expiresAt: number
  notBefore: number
  startedAt: number | undefined
  hasPlayed = false
  isOver = false
  /** As they were last found. */
  speakers: readonly Speaker[]
  readonly #options: AnnounceOptions
  readonly #nextOrder: () => number
  readonly #arrivedAt = performance.now()
  #settle!: { resolve(report: AnnouncementReport): void; reject(error: unknown): void }
  /** Where it may be said now. */
  #targets: readonly Target[] = []
  /** The names of its speakers whose quiet hours keep it from being said there. */
  #leftOut: readonly string[] = []
  /** What became of it so far: first on its own speakers, then on those that say it instead. */
  #tries: (readonly SpeakerResult[])[] = []
  /** Where it is said next, because its own speakers could not. */
  #substitutes: readonly Speaker[] = []
  /** When it began on its own speakers. */
  #firstTryAt = 0
  #playback = new AbortController()
  #endReason: EndReason | undefined
  #hasBeenCut = false
  /** Why it could not be said when it last played, while those that say it instead have not tried yet. */
  #failure: { error: unknown } | undefined
  /** It could not be said when it last played, by nobody. */
  #hasFailed = false
  /** It is not repeated: it was acknowledged, or a newer one has the same topic. */
  #isLast = false
  #isAcknowledged = false
  #facts: Pick<
    AnnouncementReport,
    'times' | 'waitedMs' | 'firstSoundMs' | 'durationSeconds' | 'speakers'
  >

  /** @param nextOrder gives it a place in the queue behind all others. */
  constructor(announcement: Announcement, options: AnnounceOptions, nextOrder: () => number) {
    this.announcement = announcement
    this.priority = announcement.priority
    this.isMusic = announcement.isMusic ?? false
    this.isPart = announcement.sequenceId !== undefined
    this.speakers = announcement.speakers
    this.order = nextOrder()
    this.notBefore = this.#arrivedAt
    this.expiresAt = this.#arrivedAt + expiryMs(announcement)
    this.#options = options
    this.#nextOrder = nextOrder
    this.#facts = { times: announcement.repeat?.timesBefore ?? 0, speakers: [] }
    this.report = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  get isPlaying(): boolean {
    return this.startedAt !== undefined
  }

  get isEnding(): boolean {
    return this.#endReason !== undefined
  }

  get isSaid(): boolean {
    return this.#facts.times > 0
  }

  /** Whether it is repeated until somebody acknowledges it. */
  get isPendingAlarm(): boolean {
    return this.announcement.repeat?.untilAcknowledged === true && !this.#isLast
  }

  /** Finds out where quiet hours let it be said now. It is over if they drop it. */
  checkQuietHours(now: number): void {
    if (this.isPlaying) return
    this.#findSpeakers()
    const { announcement } = this
    const wanted = this.#wantedSpeakers
    const { targets, otherwise } = applyQuietHours(wanted, announcement, new Date())
    const isHeld = targets.length === 0
    if (isHeld && otherwise === 'drop') {
      this.conclude('quiet hours')
      return
    }
    if (isHeld) {
      this.notBefore = now + clockCheckMs
      if (announcement.expiresInMs === undefined) this.expiresAt = now + expiryMs(announcement)
    } else if (this.#targets.length === 0) this.notBefore = now
    this.#targets = targets
    const speakers = isHeld ? wanted : targets.map(({ speaker }) => speaker)
    if (wanted === this.speakers) {
      this.#leftOut = wanted.filter((one) => !speakers.includes(one)).map(({ name }) => name)
    }
    this.devices = speakers.flatMap(({ devices }) => devices)
    const over = this.isMusic ? [] : speakers.filter(({ driver }) => driver.playsOver?.())
    this.overMusic = over.flatMap(({ devices }) => devices)
  }

  /** Where it is said now, or next, unless quiet hours forbid it. */
  get #wantedSpeakers(): readonly Speaker[] {
    return this.#substitutes.length > 0 ? this.#substitutes : this.speakers
  }

  #show(state: Parameters<AnnounceOptions['onStateChange']>[0]): void {
    this.#options.onStateChange(state, this.#wantedSpeakers)
  }

  /** @returns the error if one no longer exists. While a deploy restarts it, that is not yet known. */
  #findSpeakers(): unknown {
    try {
      this.speakers = this.announcement.findSpeakers()
      return undefined
    } catch (error) {
      return error
    }
  }

  /** Shows that it waits, unless it has begun or ended at once. */
  showWaiting(): void {
    if (!this.isOver && !this.isPlaying) this.#show('waiting')
  }

  /** Plays it once. It is over then, waits to be said again or by others, or rests. */
  async play(RED: Texts): Promise<void> {
    const startedAt = performance.now()
    this.startedAt = startedAt
    this.hasPlayed = true
    if (this.#substitutes.length === 0) {
      this.#firstTryAt = startedAt
      this.#tries = []
    }
    this.#playback = new AbortController()
    this.#facts.waitedMs ??= Math.round(startedAt - this.#arrivedAt)
    let isCut = false
    try {
      const { results, durationSeconds } = await playOnSpeakers(this.announcement, this.#targets, {
        RED,
        signal: this.#playback.signal,
        onFirstSound: () => this.#noteSound(),
      })
      this.#noteResults(results, durationSeconds)
    } catch (error) {
      isCut = this.#playback.signal.aborted
      if (!isCut) this.#failure = { error }
    }
    const reason = this.#endReason
    this.startedAt = undefined
    this.#endReason = undefined
    if (reason === 'stopped') this.conclude(reason)
    else if (reason === 'acknowledged') this.#concludeHeard()
    else if (isCut) this.#goOnAfterCut()
    else if (this.#substitutes.length > 0 && !this.#isLast) this.#show('waiting')
    else this.#goOn()
  }

  #noteSound(): void {
    this.#hasFailed = false
    this.#failure = undefined
    this.#facts.firstSoundMs ??= Math.round(performance.now() - this.#arrivedAt)
    this.#show('saying')
  }

  #noteResults(results: readonly SpeakerResult[], durationSeconds: number | undefined): void {
    const wasSaid = hasSaid(this.#tries)
    this.#tries.push(results)
    this.#substitutes = findSubstitutes(this.#tries, this.announcement)
    const [first] = this.#tries.flat()
    const isSaid = hasSaid(this.#tries)
    this.#failure = isSaid ? undefined : first?.failure
    if (!isSaid) return
    if (!wasSaid) this.#facts.times += 1
    if (durationSeconds !== undefined) this.#facts.durationSeconds = durationSeconds
    this.#facts.speakers = this.#tries.flat().map(({ report }) => report)
  }

  #goOnAfterCut(): void {
    const isAlarm = this.priority === 'alarm'
    const isSaidAgain = isAlarm || (this.priority !== 'info' && !this.#hasBeenCut)
    if (this.#isLast || !isSaidAgain) {
      this.conclude(this.#isLast ? 'replaced' : 'interrupted')
      return
    }
    this.#hasBeenCut = true
    // An alarm is cut by an alarm, which would otherwise have to wait for it again.
    if (isAlarm) this.order = this.#nextOrder()
    this.#show('waiting')
  }

  #goOn(): void {
    const fatal = this.#failure && this.#fatalError(this.#failure.error)
    this.#failure = undefined
    this.#substitutes = []
    const { repeat } = this.announcement
    if (fatal) this.#fail(fatal)
    else if (this.#isLast || !repeat || this.#facts.times >= repeat.times) this.conclude()
    else this.#rest(this.#firstTryAt + repeat.everySeconds * 1000)
  }

  #rest(until: number): void {
    this.order = this.#nextOrder()
    this.notBefore = Math.max(until, performance.now())
    this.expiresAt = Infinity
    this.#show('repeating')
  }

  /**
   * No failure ends an alarm, nor a failure at a repetition, unless the speaker no longer exists.
   * @returns the error that ends it.
   */
  #fatalError(error: unknown): unknown {
    if (!this.isSaid && !this.announcement.repeat?.untilAcknowledged) return error
    const missing = this.#findSpeakers()
    if (missing || this.isSaid) return missing
    if (this.#isLast) return error
    if (!this.#hasFailed) this.#options.onFailure(error)
    this.#hasFailed = true
    return undefined
  }

  /** Ends what plays now. */
  end(reason: EndReason): void {
    this.#endReason = reason
    this.#playback.abort(new Error(reason))
  }

  /** Ends the repetitions. One that nobody has heard yet is still said once. */
  acknowledge(): void {
    this.#isLast = true
    this.#isAcknowledged = true
    if (this.isPlaying) this.end('acknowledged')
    else if (this.hasPlayed) this.#concludeHeard()
  }

  /** A newer announcement has the same topic. What plays now is not repeated. */
  replace(): void {
    this.#isLast = true
    if (!this.isPlaying) this.conclude('replaced')
  }

  /** @param reason why it was not said, or not any more. */
  conclude(reason?: NotSaidReason): void {
    this.isOver = true
    // It did not wait for its turn, but for the turn of those that say it instead.
    if (reason === 'expired' && this.#failure) this.#settle.reject(this.#failure.error)
    else this.#settle.resolve(this.#reportWith(reason))
  }

  /** Somebody has acknowledged it, and so has heard it, even if it was cut. */
  #concludeHeard(): void {
    const isUnheard = this.#hasFailed || this.#failure !== undefined
    if (!isUnheard) this.#facts.times = Math.max(this.#facts.times, 1)
    this.conclude(isUnheard ? 'failed' : undefined)
  }

  #fail(error: unknown): void {
    this.isOver = true
    this.#settle.reject(error)
  }

  #reportWith(reason?: NotSaidReason): AnnouncementReport {
    const { id, priority, topic, repeat } = this.announcement
    // The rest of the report shows how often it was said before it was given up.
    const isSaid = this.isSaid && reason !== 'too many waiting'
    const leftOut = this.#leftOut.map((name) => ({ name, status: 'quiet hours' as const }))
    return {
      id,
      status: isSaid ? 'said' : 'not said',
      ...(!isSaid && reason && { reason }),
      priority,
      ...(topic !== undefined && { topic }),
      ...this.#facts,
      ...(repeat?.untilAcknowledged && { acknowledged: this.#isAcknowledged }),
      speakers: isSaid ? [...this.#facts.speakers, ...leftOut] : [],
    }
  }
}

function expiryMs({ expiresInMs, priority, sequenceId }: Announcement): number {
  return expiresInMs ?? (sequenceId === undefined ? defaultExpiryMs[priority] : Infinity)
}

function hasSaid(tries: readonly (readonly SpeakerResult[])[]): boolean {
  return tries.flat().some(({ failure }) => !failure)
}
