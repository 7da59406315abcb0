import type { SpeakerResult } from '../playback/play-on-speakers.ts'
import type { SpeakerReport } from '../playback/playback-report.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement } from './announcement.ts'
import { applyQuietHours } from './quiet-hours.ts'

/** Each speaker that fails may take long to do so: who stands in for the fourth one is not asked. */
const maxAttempts = 4

/**
 * What becomes of an announcement when it is said: first on its own speakers, then on those that say it in place of the ones that
 * could not. A repetition begins with its own speakers again.
 */
export class Attempts {
  readonly #announcement: Announcement
  #beganAt = 0
  #results: (readonly SpeakerResult[])[] = []
  #substitutes: readonly Speaker[] = []
  #failure: { error: unknown } | undefined

  constructor(announcement: Announcement) {
    this.#announcement = announcement
  }

  /** When the attempt on its own speakers began. */
  get beganAt(): number {
    return this.#beganAt
  }

  get isSaid(): boolean {
    return this.#results.flat().some(({ failure }) => !failure)
  }

  get reports(): SpeakerReport[] {
    return this.#results.flat().map(({ report }) => report)
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
    if (this.#substitutes.length > 0) return
    this.#beganAt = now
    this.#results = []
  }

  /** A speaker is heard. */
  noteSound(): void {
    this.#failure = undefined
  }

  /** Notes the results of an attempt, and finds the speakers of the next one. */
  note(results: readonly SpeakerResult[]): void {
    this.#results.push(results)
    this.#substitutes = findSubstitutes(this.#results, this.#announcement)
    const [first] = this.#results.flat()
    this.#failure = this.isSaid ? undefined : first?.failure
  }

  /** The attempt has failed before any speaker had a result. */
  noteFailure(error: unknown): void {
    this.#failure = { error }
  }

  /** The next attempt is on its own speakers. */
  end(): void {
    this.#failure = undefined
    this.#substitutes = []
  }
}

/**
 * Finds the speakers that say an announcement in place of those that could not, and names them in the reports. A speaker
 * that has tried already, or that quiet hours keep silent now, is none of them.
 * @param attempts the results of each, the first one on the speakers of the announcement.
 */
function findSubstitutes(
  attempts: readonly (readonly SpeakerResult[])[],
  announcement: Announcement,
): Speaker[] {
  if (attempts.length >= maxAttempts) return []
  const results = attempts.flat()
  const resultOf = ({ id }: Speaker) => results.find(({ speaker }) => speaker.id === id)
  const mayPlay = (speaker: Speaker) =>
    applyQuietHours([speaker], announcement, new Date()).targets.length > 0
  const found = new Map<string, Speaker>()
  for (const { speaker, report, failure } of results) {
    if (!failure?.isOfSpeaker || report.instead !== undefined) continue
    const others = (speaker.instead?.() ?? []).filter((other) => {
      const result = resultOf(other)
      return result ? !result.failure : mayPlay(other)
    })
    if (others.length > 0) report.instead = others.map(({ name }) => name).join(', ')
    for (const other of others) if (!resultOf(other)) found.set(other.id, other)
  }
  return [...found.values()]
}
