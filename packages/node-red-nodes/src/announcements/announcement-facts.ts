import type { NotSaidReason } from '../playback/playback-report.ts'
import type { Announcement, AnnouncementReport } from './announcement.ts'
import type { Attempts } from './attempts.ts'

type Facts = Pick<
  AnnouncementReport,
  'times' | 'waitedMs' | 'firstSoundMs' | 'durationSeconds' | 'speakers'
>

/** What is noted about an announcement for its report. Times are of `performance.now()`. */
export class AnnouncementFacts {
  readonly arrivedAt = performance.now()
  readonly #announcement: Announcement
  readonly #facts: Facts

  constructor(announcement: Announcement) {
    this.#announcement = announcement
    this.#facts = { times: announcement.repeat?.timesBefore ?? 0, speakers: [] }
  }

  get isSaid(): boolean {
    return this.#facts.times > 0
  }

  /** Whether it is said again after this. */
  get isRepeated(): boolean {
    const { repeat } = this.#announcement
    return repeat !== undefined && this.#facts.times < repeat.times
  }

  noteStart(startedAt: number): void {
    this.#facts.waitedMs ??= Math.round(startedAt - this.arrivedAt)
  }

  noteSound(): void {
    this.#facts.firstSoundMs ??= Math.round(performance.now() - this.arrivedAt)
  }

  /** @param isFirst whether none of the earlier attempts of this repetition has succeeded. */
  noteSaid(attempts: Attempts, isFirst: boolean, durationSeconds: number | undefined): void {
    if (isFirst) this.#facts.times += 1
    if (durationSeconds !== undefined) this.#facts.durationSeconds = durationSeconds
    this.#facts.speakers = attempts.reports
  }

  /** Somebody has acknowledged it, and so has heard it, even if it was cut. */
  noteHeard(): void {
    this.#facts.times = Math.max(this.#facts.times, 1)
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
}
