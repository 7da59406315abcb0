import type { Announcement, Priority } from './announcement.ts'

const defaultExpiryMs: Readonly<Record<Priority, number>> = {
  info: 60_000,
  normal: 300_000,
  urgent: 300_000,
  alarm: Infinity,
}
/** While quiet hours hold an announcement, the announcer reads the clock again: somebody may set it. */
const clockCheckMs = 30_000

/** The times from which on and until which an announcement may be said. All are of `performance.now()`. */
export class EntryTimes {
  readonly #announcement: Announcement
  #expiresAt: number
  /** When it arrived, is repeated, or is said again after it was postponed. */
  #dueAt: number
  #heldUntil = 0

  constructor(announcement: Announcement, arrivedAt: number) {
    this.#announcement = announcement
    this.#dueAt = arrivedAt
    this.#expiresAt = arrivedAt + expiryMs(announcement)
    if (announcement.againAt !== undefined) this.postpone(announcement.againAt)
  }

  get expiresAt(): number {
    return this.#expiresAt
  }

  get notBefore(): number {
    return Math.max(this.#dueAt, this.#heldUntil)
  }

  /** Whether its own time has come, in which quiet hours may hold it. */
  isDue(now: number): boolean {
    return this.#dueAt <= now
  }

  /** Quiet hours hold it. */
  hold(now: number): void {
    this.#heldUntil = now + clockCheckMs
    const announcement = this.#announcement
    // One that was postponed, or is said until somebody acknowledges it, does not expire.
    const expires = this.#expiresAt < Infinity && announcement.expiresInMs === undefined
    if (expires) this.#expiresAt = now + expiryMs(announcement)
  }

  /** A deploy replaces one of its speakers. The announcer looks again when that is over. */
  waitForSpeaker(now: number): void {
    this.#heldUntil = now + clockCheckMs
  }

  /** Nothing holds it any more. */
  release(): void {
    this.#heldUntil = 0
  }

  /** It is repeated. @param beganAt when it was said the last time. */
  rest(beganAt: number): void {
    const { everySeconds } = this.#announcement.repeat!
    this.#dueAt = Math.max(beganAt + everySeconds * 1000, performance.now())
    this.#expiresAt = Infinity
  }

  /** @param againAt in ms since 1970. */
  postpone(againAt: number): void {
    this.#dueAt = performance.now() + Math.max(againAt - Date.now(), 0)
    this.#expiresAt = Infinity
  }
}

function expiryMs({ expiresInMs, priority, sequenceId }: Announcement): number {
  return expiresInMs ?? (sequenceId === undefined ? defaultExpiryMs[priority] : Infinity)
}
