import type { SpeakerResult } from '../playback/play-on-speakers.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement, AnnouncementReport } from './announcement.ts'
import { type AttemptResult, findSubstitutes } from './find-substitutes.ts'
import type { NotSaidReason } from './playback-report.ts'

type Facts = Pick<
  AnnouncementReport,
  'times' | 'waitedMs' | 'firstSoundMs' | 'durationSeconds' | 'speakers'
>

/**
 * What was said of an announcement, and where: first on its own speakers, then on those that say it in place of the ones that
 * could not. A repetition begins with its own speakers again. Times are of `performance.now()`.
 */
export class WhatWasSaid {
  readonly arrivedAt = performance.now()
  readonly #announcement: Announcement
  readonly #facts: Facts
  #beganAt = 0
  /** The results of the attempts of this repetition. */
  #results: (readonly AttemptResult[])[] = []
  #substitutes: readonly Speaker[] = []
  #failure: { error: unknown } | undefined

  constructor(announcement: Announcement) {
    this.#announcement = announcement
    this.#facts = { times: announcement.repeat?.timesBefore ?? 0, speakers: [] }
  }

  /** Whether it was said, now or before. */
  get isSaid(): boolean {
    return this.#facts.times > 0
  }

  /** Whether it is said again after this. */
  get isRepeated(): boolean {
    const { repeat } = this.#announcement
    return repeat !== undefined && this.#facts.times < repeat.times
  }

  /** When the attempt on its own speakers began. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** The speakers of the next attempt; none: its own ones. */
  get substitutes(): readonly Speaker[] {
    return this.#substitutes
  }

  /** Why it was not said in the last attempt, while those that say it instead have not tried yet. */
  get failure(): { error: unknown } | undefined {
    return this.#failure
  }

  begin(now: number): void {
    this.#facts.waitedMs ??= Math.round(now - this.arrivedAt)
    if (this.#substitutes.length > 0) return
    this.#beganAt = now
    this.#results = []
  }

  /** A speaker is heard. */
  noteSound(): void {
    this.#failure = undefined
    this.#facts.firstSoundMs ??= Math.round(performance.now() - this.arrivedAt)
  }

  /** Notes the results of an attempt, and finds the speakers of the next one. */
  noteResults(results: readonly SpeakerResult[], durationSeconds: number | undefined): void {
    const isFirst = !this.#isSaidNow
    this.#results.push(results.map((result) => ({ ...result })))
    this.#substitutes = findSubstitutes(this.#results, this.#announcement)
    const [first] = this.#results.flat()
    this.#failure = this.#isSaidNow ? undefined : first?.failure
    if (!this.#isSaidNow) return
    if (isFirst) this.#facts.times += 1
    if (durationSeconds !== undefined) this.#facts.durationSeconds = durationSeconds
    this.#facts.speakers = this.#results
      .flat()
      .map(({ report, instead }) => ({ ...report, ...(instead !== undefined && { instead }) }))
  }

  /** The attempt has failed before any speaker had a result. */
  noteFailure(error: unknown): void {
    this.#failure = { error }
  }

  /** Somebody has acknowledged it, and so has heard it, even if it was cut. */
  noteHeard(): void {
    this.#facts.times = Math.max(this.#facts.times, 1)
  }

  /** The next attempt is on its own speakers. */
  end(): void {
    this.#failure = undefined
    this.#substitutes = []
  }

  /** @param names of its speakers whose quiet hours keep it from being said there. */
  report(
    reason: NotSaidReason | undefined,
    isAcknowledged: boolean,
    names: readonly string[],
  ): AnnouncementReport {
    const { id, priority, topic, repeat } = this.#announcement
    // The rest of the report shows how often it was said before it was given up.
    const isSaid = this.isSaid && reason !== 'too many waiting'
    const leftOut = names.map((name) => ({ name, status: 'quiet hours' as const }))
    return {
      id,
      status: isSaid ? 'said' : 'not said',
      ...(!isSaid && reason && { reason }),
      priority,
      ...(topic !== undefined && { topic }),
      ...this.#facts,
      ...(repeat?.untilAcknowledged && { acknowledged: isAcknowledged }),
      speakers: isSaid ? [...this.#facts.speakers, ...leftOut] : [],
    }
  }

  /** Whether it was said in this repetition. */
  get #isSaidNow(): boolean {
    return this.#results.flat().some(({ failure }) => !failure)
  }
}
