import type { Target } from '../playback/play-on-speakers.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement } from './announcement.ts'
import { applyQuietHours } from './quiet-hours.ts'

/** Where an announcement may be said. */
export class AnnouncementPlaces {
  /** Where it may be said now: nowhere while quiet hours hold it. */
  targets: readonly Target[] = []
  /** The devices of the speakers that it waits for. */
  devices: readonly string[] = []
  /** Those of its devices on which it plays over music. */
  overMusic: readonly string[] = []
  /** The names of its speakers whose quiet hours keep it from being said there. */
  leftOut: readonly string[] = []
  /** Its own speakers, as they were last found. */
  speakers: readonly Speaker[]
  readonly #announcement: Announcement

  constructor(announcement: Announcement) {
    this.#announcement = announcement
    this.speakers = announcement.speakers
  }

  /** Those that say it now, or next, unless quiet hours forbid it. @param substitutes say it instead, if there are any. */
  wanted(substitutes: readonly Speaker[]): readonly Speaker[] {
    return substitutes.length > 0 ? substitutes : this.speakers
  }

  /** @returns the error if a speaker no longer exists. While a deploy replaces it, the closed one is found. */
  find(): unknown {
    try {
      this.speakers = this.#announcement.findSpeakers()
      return undefined
    } catch (error) {
      return error
    }
  }

  /**
   * Finds out where it may be said now.
   * @returns whether quiet hours hold it everywhere, or drop it, or a deploy has closed one of its speakers, which may be there
   * again soon.
   */
  update(substitutes: readonly Speaker[]): 'free' | 'held' | 'dropped' | 'closed' {
    const missing = this.find()
    const wanted = this.wanted(substitutes)
    if (!missing && this.speakers.some(({ isClosed }) => isClosed)) {
      this.targets = []
      return 'closed'
    }
    const { targets, otherwise } = applyQuietHours(wanted, this.#announcement, new Date())
    const isHeld = targets.length === 0
    if (isHeld && otherwise === 'drop') return 'dropped'
    this.targets = targets
    const speakers = isHeld ? wanted : targets.map(({ speaker }) => speaker)
    if (wanted === this.speakers) {
      this.leftOut = wanted.filter((one) => !speakers.includes(one)).map(({ name }) => name)
    }
    this.devices = speakers.flatMap(({ devices }) => devices)
    const over = this.#announcement.isMusic
      ? []
      : speakers.filter(({ driver }) => driver.playsOver?.())
    this.overMusic = over.flatMap(({ devices }) => devices)
    return isHeld ? 'held' : 'free'
  }
}
