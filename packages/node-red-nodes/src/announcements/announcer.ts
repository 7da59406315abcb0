import type { Texts } from '../runtime/texts.ts'
import { maxTimeoutMs } from '../runtime/wait.ts'
import type { SpokenCommand } from '../speakers/display.ts'
import type {
  Announcement,
  AnnouncementReport,
  AnnounceOptions,
  PendingAlarm,
} from './announcement.ts'
import { AnnouncementEntry } from './announcement-entry.ts'
import { planQueue } from './announcement-queue.ts'
import { covers, createRecentTexts } from './recent-texts.ts'

/** The parts of sequences that wait may take this much, each with its message and its place in the queue. */
const maxPartBytes = 64 * 1024 * 1024
const minPartBytes = 16 * 1024
/** This many announcements may repeat until somebody acknowledges them, or may be postponed. */
const maxUnacknowledged = 50
/** An announcement is postponed for this long. */
const postponedMs = 10 * 60_000

/**
 * Says announcements in the order of their importance. All nodes share one announcer, and so one queue per speaker. It keeps the
 * announcements that are not over, and starts, ends and drops them as the plan of the queue says.
 */
export class Announcer {
  readonly #RED: Texts
  readonly #onPendingAlarms: (alarms: readonly PendingAlarm[]) => void
  readonly #entries = new Set<AnnouncementEntry>()
  readonly #recentTexts = createRecentTexts()
  #orders = 0
  #timer: NodeJS.Timeout | undefined
  #reportedAlarms = '[]'

  /**
   * @param RED has the texts of the speaker node.
   * @param onPendingAlarms is called each time they change, the oldest first.
   */
  constructor(RED: Texts, onPendingAlarms: (alarms: readonly PendingAlarm[]) => void = () => {}) {
    this.#RED = RED
    this.#onPendingAlarms = onPendingAlarms
  }

  /**
   * Resolves when the announcement was said, or will not be said.
   * @throws the error of the first speaker if all of them failed, or the error of the sound.
   */
  announce(announcement: Announcement, options: AnnounceOptions): Promise<AnnouncementReport> {
    const { signal } = options
    const entry = new AnnouncementEntry(announcement, options, () => this.#orders++)
    const { report } = entry
    const reason = this.#reasonAgainst(entry, signal)
    if (reason) {
      entry.handle({ type: 'drop', reason })
      return report
    }
    const onAbort = () => this.#stop(entry)
    signal.addEventListener('abort', onAbort)
    this.#recentTexts.add(announcement)
    this.#replaceOlder(entry)
    this.#entries.add(entry)
    this.#dropOldestUnacknowledged()
    this.#schedule()
    entry.showWaiting()
    return report.finally(() => signal.removeEventListener('abort', onAbort))
  }

  /** Ends the repetitions of a topic, of one announcement, or of all, at once. @returns how many there were. */
  acknowledge(topic?: string, id?: string): number {
    let count = 0
    for (const entry of this.#entries) {
      const isRepeated = entry.announcement.repeat || entry.againAt !== undefined
      if (!isRepeated || !isMeant(entry, topic, id)) continue
      entry.handle({ type: 'acknowledge' })
      count += 1
    }
    this.#schedule()
    return count
  }

  /**
   * Postpones what is being said or repeats by ten minutes: a topic, one announcement, or all. Without an id, one that nobody
   * has heard yet is still said first.
   * @returns how many there were.
   */
  postpone(topic?: string, id?: string): number {
    let count = 0
    for (const entry of this.#entries) {
      const isHeard = entry.hasPlayed || id !== undefined
      if (!isHeard || !entry.canBePostponed || !isMeant(entry, topic, id)) continue
      entry.postpone(Date.now() + postponedMs)
      count += 1
    }
    this.#schedule()
    return count
  }

  /** A deploy has replaced speakers. What waited for them can begin. */
  speakersReplaced(): void {
    this.#schedule()
  }

  /** Does what somebody has said to an announcement, while it sounded or just afterwards. */
  #obey(entry: AnnouncementEntry, command: SpokenCommand): void {
    const againAt = Date.now() + (command === 'later' ? postponedMs : 0)
    if (command === 'stop') this.#stop(entry)
    else if (command === 'acknowledge') {
      if (!entry.isOver && !entry.isEnding) entry.handle({ type: 'acknowledge' })
    } else if (entry.isOver) entry.sayAfterEnd(againAt)
    else if (entry.canBePostponed) entry.postpone(againAt)
    this.#schedule()
  }

  #reasonAgainst(entry: AnnouncementEntry, signal: AbortSignal) {
    if (signal.aborted) return 'stopped'
    if (!entry.isSaid && !entry.hasPlayed && this.#recentTexts.has(entry.announcement))
      return 'repeated'
    let bytes = partBytes(entry)
    for (const other of this.#entries) bytes += partBytes(other)
    return bytes > maxPartBytes ? 'too many waiting' : undefined
  }

  /** A newer announcement of a topic takes the place of those that wait; one that plays is not repeated. */
  #replaceOlder(entry: AnnouncementEntry): void {
    for (const older of this.#entries) {
      if (!covers(entry.announcement, older.announcement)) continue
      const isFirst = !older.isPlaying && !older.hasPlayed
      if (isFirst && older.priority === entry.priority) entry.order = older.order
      older.handle({ type: 'replace' })
    }
  }

  #dropOldestUnacknowledged(): void {
    const repeating = [...this.#entries].filter(
      ({ isOver, isPendingAlarm }) => !isOver && isPendingAlarm,
    )
    const oldest = repeating.find(({ isPlaying }) => !isPlaying)
    if (repeating.length > maxUnacknowledged)
      oldest?.handle({ type: 'drop', reason: 'too many waiting' })
  }

  #stop(entry: AnnouncementEntry): void {
    entry.handle({ type: 'stop' })
    if (entry.isOver) this.#schedule()
  }

  /** Carries out the plan, and comes back when it changes by itself. */
  #schedule(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    let plan = planQueue(this.#currentEntries(now), now)
    while (plan.drop.length > 0) {
      for (const { entry, reason } of plan.drop) entry.handle({ type: 'drop', reason })
      // A part that was dropped held up the others of its sequence.
      plan = planQueue(this.#currentEntries(now), now)
    }
    for (const entry of plan.cut) entry.handle({ type: 'interrupt' })
    for (const entry of plan.start) {
      const onCommand = (command: SpokenCommand) => this.#obey(entry, command)
      void entry.play(this.#RED, onCommand).then(() => this.#schedule())
    }
    this.#reportPendingAlarms()
    if (plan.nextAt === Infinity) return
    const restMs = Math.min(Math.max(plan.nextAt - now, 1), maxTimeoutMs)
    this.#timer = setTimeout(() => this.#schedule(), restMs)
  }

  /** The entries that take part in the plan. Of a sequence, that is the first part that was not said. */
  #currentEntries(now: number): AnnouncementEntry[] {
    const sequences = new Set<string>()
    const current: AnnouncementEntry[] = []
    for (const entry of this.#entries) {
      const { sequenceId } = entry.announcement
      if (!entry.isOver && sequenceId !== undefined && sequences.has(sequenceId)) continue
      if (!entry.isOver) entry.checkPlaces(now)
      if (entry.isOver) {
        this.#entries.delete(entry)
        if (!entry.isSaid) this.#recentTexts.forget(entry.announcement)
        continue
      }
      current.push(entry)
      if (sequenceId !== undefined && !entry.isSaid) sequences.add(sequenceId)
    }
    return current
  }

  #reportPendingAlarms(): void {
    const alarms = [...this.#entries]
      .filter(({ isPendingAlarm }) => isPendingAlarm)
      .map(({ announcement: { id, text }, speakers, againAt }) => ({
        id,
        text,
        ...(againAt !== undefined && { againAt }),
        devices: speakers.flatMap(({ devices }) => devices),
      }))
    const next = JSON.stringify(alarms)
    if (next === this.#reportedAlarms) return
    this.#reportedAlarms = next
    this.#onPendingAlarms(alarms)
  }
}

function isMeant({ announcement }: AnnouncementEntry, topic?: string, id?: string): boolean {
  const isTopic = topic === undefined || topic === announcement.topic
  return isTopic && (id === undefined || id === announcement.id)
}

function partBytes({ announcement: { text }, isPart }: AnnouncementEntry): number {
  return isPart ? Math.max(2 * text.length, minPartBytes) : 0
}
