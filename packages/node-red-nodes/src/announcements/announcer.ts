import type { NodeAPI } from 'node-red'
import type { Speaker } from '../speakers/speaker.ts'
import type {
  Announcement,
  AnnouncementReport,
  AnnounceOptions,
  Announcer,
  NotSaidReason,
  PendingAlarm,
  Priority,
} from './announcement.ts'
import { playOnSpeakers } from './play-on-speakers.ts'
import { planQueue, type QueueEntry } from './queue.ts'
import { applyQuietHours, type Target } from './quiet-hours.ts'
import { covers, createRecentTexts } from './recent-texts.ts'

const defaultExpiryMs: Readonly<Record<Priority, number>> = {
  info: 60_000,
  normal: 300_000,
  urgent: 300_000,
  alarm: Infinity,
}
/** While quiet hours hold an announcement, the announcer reads the clock again: somebody may set it. */
const clockCheckMs = 30_000
/** Of the parts of sequences that wait, each with its message and its place in the queue. */
const maxPartBytes = 64 * 1024 * 1024
const minPartBytes = 16 * 1024
/** Of announcements that repeat until somebody acknowledges them. */
const maxUnacknowledged = 50
/** The longest timeout that Node accepts. */
const maxTimeoutMs = 2 ** 31 - 1

/** An announcement that waits, plays, or rests before it is repeated. */
interface Entry extends QueueEntry {
  announcement: Announcement
  options: AnnounceOptions
  /** As they were last found. */
  speakers: readonly Speaker[]
  arrivedAt: number
  /** Where it may be said now. */
  targets: Target[]
  order: number
  devices: string[]
  expiresAt: number
  notBefore: number
  startedAt?: number
  isEnding: boolean
  hasPlayed: boolean
  /** Ends what plays now. */
  abort(reason: EndReason): void
  endReason?: EndReason
  hasBeenCut: boolean
  /** It could not be said when it last played. */
  hasFailed: boolean
  /** It is not repeated: it was acknowledged, or a newer one has the same topic. */
  isLast: boolean
  isAcknowledged: boolean
  facts: Pick<
    AnnouncementReport,
    'times' | 'waitedMs' | 'firstSoundMs' | 'durationSeconds' | 'speakers'
  >
  resolve(report: AnnouncementReport): void
  reject(error: unknown): void
}

type EndReason = NotSaidReason | 'acknowledged'

/**
 * Creates the announcer that all nodes share.
 * @param RED has the texts of the speaker node.
 * @param onPendingAlarms is called each time they change, the oldest first.
 */
export function createAnnouncer(
  RED: Pick<NodeAPI, '_'>,
  onPendingAlarms: (alarms: readonly PendingAlarm[]) => void = () => {},
): Announcer {
  const entries = new Set<Entry>()
  const recentTexts = createRecentTexts()
  let nextOrder = 0
  let timer: NodeJS.Timeout | undefined
  let reported = '[]'

  const reportPendingAlarms = () => {
    const alarms = [...entries].filter(isPendingAlarm).map(({ announcement, speakers }) => ({
      id: announcement.id,
      text: announcement.text,
      speakerIds: speakers.map(({ id }) => id),
    }))
    const next = JSON.stringify(alarms)
    if (next === reported) return
    reported = next
    onPendingAlarms(alarms)
  }

  const schedule = () => {
    clearTimeout(timer)
    const now = performance.now()
    let plan = planQueue(currentEntries(now), now)
    while (plan.drop.length > 0) {
      for (const { entry, reason } of plan.drop) conclude(entry, reason)
      // A part that was dropped held up the others of its sequence.
      plan = planQueue(currentEntries(now), now)
    }
    for (const entry of plan.cut) end(entry, 'interrupted')
    for (const entry of plan.start) void play(entry)
    reportPendingAlarms()
    if (plan.nextAt === Infinity) return
    timer = setTimeout(schedule, Math.min(Math.max(plan.nextAt - now, 1), maxTimeoutMs))
  }

  /** The entries that take part in the plan. Of a sequence, that is the first part that was not said. */
  const currentEntries = (now: number) => {
    const sequences = new Set<string>()
    const current: Entry[] = []
    for (const entry of entries) {
      const { sequenceId } = entry.announcement
      if (sequenceId !== undefined && sequences.has(sequenceId)) continue
      checkQuietHours(entry, now)
      if (!entries.has(entry)) continue
      current.push(entry)
      if (sequenceId !== undefined && entry.facts.times === 0) sequences.add(sequenceId)
    }
    return current
  }

  const checkQuietHours = (entry: Entry, now: number) => {
    const { announcement, startedAt } = entry
    if (startedAt !== undefined) return
    refreshSpeakers(entry)
    const decision = applyQuietHours(entry.speakers, announcement, new Date())
    const isHeld = decision.targets.length === 0
    if (isHeld && decision.otherwise === 'drop') return conclude(entry, 'quiet hours')
    if (isHeld) {
      entry.notBefore = now + clockCheckMs
      if (announcement.expiresInMs === undefined) entry.expiresAt = now + expiryMs(announcement)
    } else if (entry.targets.length === 0) entry.notBefore = now
    entry.targets = decision.targets
    const speakers = isHeld ? entry.speakers : decision.targets.map(({ speaker }) => speaker)
    entry.devices = speakers.flatMap(({ devices }) => devices)
  }

  /** @returns the error if one no longer exists. While a deploy restarts it, that is not yet known. */
  const refreshSpeakers = (entry: Entry): unknown => {
    try {
      entry.speakers = entry.announcement.findSpeakers()
      return undefined
    } catch (error) {
      return error
    }
  }

  const play = async (entry: Entry): Promise<void> => {
    const { announcement, arrivedAt, options, facts } = entry
    const controller = new AbortController()
    const startedAt = performance.now()
    facts.waitedMs ??= Math.round(startedAt - arrivedAt)
    entry.abort = (reason) => controller.abort(new Error(reason))
    entry.startedAt = startedAt
    entry.hasPlayed = true
    let failure: { error: unknown } | undefined
    try {
      const said = await playOnSpeakers(announcement, entry.targets, {
        RED,
        signal: controller.signal,
        onFirstSound() {
          entry.hasFailed = false
          facts.firstSoundMs ??= Math.round(performance.now() - arrivedAt)
          options.onStateChange('saying')
        },
      })
      Object.assign(facts, said, { times: facts.times + 1 })
    } catch (error) {
      failure = { error }
    }
    delete entry.startedAt
    entry.isEnding = false
    goOn(entry, startedAt, failure)
    schedule()
  }

  /** Decides what happens to an announcement that has played: it is over, or waits to be said again. */
  const goOn = (entry: Entry, startedAt: number, failure?: { error: unknown }) => {
    const { announcement, options, endReason, facts } = entry
    const { priority, repeat } = announcement
    delete entry.endReason
    if (endReason === 'stopped') return conclude(entry, endReason)
    if (endReason === 'acknowledged') return concludeHeard(entry)
    if (endReason === 'interrupted' && failure) {
      if (entry.isLast) return conclude(entry, 'replaced')
      const isSaidAgain = priority === 'alarm' || (priority !== 'info' && !entry.hasBeenCut)
      if (!isSaidAgain) return conclude(entry, endReason)
      entry.hasBeenCut = true
      // An alarm is cut by an alarm, which would otherwise have to wait for it again.
      if (priority === 'alarm') entry.order = nextOrder++
    } else {
      // No failure ends an alarm, nor a failure at a repetition, unless the speaker no longer exists.
      const goesOn = repeat?.untilAcknowledged || facts.times > 0
      const problem = failure && (goesOn ? refreshSpeakers(entry) : failure.error)
      if (problem) return fail(entry, problem)
      if (failure && facts.times === 0) {
        if (entry.isLast) return fail(entry, failure.error)
        if (!entry.hasFailed) options.onFailure(failure.error)
        entry.hasFailed = true
      }
      if (entry.isLast || !repeat || facts.times >= repeat.times) return conclude(entry)
      entry.order = nextOrder++
      entry.notBefore = Math.max(startedAt + repeat.everySeconds * 1000, performance.now())
      entry.expiresAt = Infinity
      return options.onStateChange('repeating')
    }
    options.onStateChange('waiting')
  }

  const end = (entry: Entry, reason: EndReason) => {
    entry.isEnding = true
    entry.endReason = reason
    entry.abort(reason)
  }

  const conclude = (entry: Entry, reason?: NotSaidReason) => {
    entries.delete(entry)
    if (entry.facts.times === 0) recentTexts.forget(entry.announcement)
    entry.resolve(reportOf(entry, reason))
  }

  /** Somebody has acknowledged it, and so has heard it, even if it was cut. */
  const concludeHeard = (entry: Entry) => {
    if (entry.hasFailed) return conclude(entry, 'failed')
    entry.facts.times = Math.max(entry.facts.times, 1)
    conclude(entry)
  }

  const fail = (entry: Entry, error: unknown) => {
    entries.delete(entry)
    recentTexts.forget(entry.announcement)
    entry.reject(error)
  }

  const stop = (entry: Entry) => {
    if (!entries.has(entry)) return
    if (entry.startedAt !== undefined) return end(entry, 'stopped')
    conclude(entry, 'stopped')
    schedule()
  }

  const dropOldestUnacknowledged = () => {
    const repeating = [...entries].filter(
      ({ announcement }) => announcement.repeat?.untilAcknowledged,
    )
    const oldest = repeating.find(({ startedAt }) => startedAt === undefined)
    if (repeating.length > maxUnacknowledged && oldest) conclude(oldest, 'too many waiting')
  }

  const waitingPartBytes = () => {
    let bytes = 0
    for (const entry of entries) bytes += partBytes(entry)
    return bytes
  }

  /** A newer announcement of a topic takes the place of those that wait; one that plays is not repeated. */
  const replaceOlder = (entry: Entry) => {
    for (const older of entries) {
      if (!covers(entry.announcement, older.announcement)) continue
      older.isLast = true
      if (older.startedAt !== undefined) continue
      if (older.priority === entry.priority && !older.hasPlayed) entry.order = older.order
      conclude(older, 'replaced')
    }
  }

  const announce = (announcement: Announcement, options: AnnounceOptions) =>
    new Promise<AnnouncementReport>((resolve, reject) => {
      const { signal, onStateChange } = options
      const onAbort = () => stop(entry)
      const settle = {
        resolve(report: AnnouncementReport) {
          signal.removeEventListener('abort', onAbort)
          resolve(report)
        },
        reject(error: unknown) {
          signal.removeEventListener('abort', onAbort)
          reject(error)
        },
      }
      const entry = createEntry(announcement, options, nextOrder++, settle)
      if (signal.aborted) return resolve(reportOf(entry, 'stopped'))
      const isNew = entry.facts.times === 0
      if (isNew && recentTexts.has(announcement)) return resolve(reportOf(entry, 'repeated'))
      if (waitingPartBytes() + partBytes(entry) > maxPartBytes) {
        return resolve(reportOf(entry, 'too many waiting'))
      }
      signal.addEventListener('abort', onAbort)
      recentTexts.add(announcement)
      replaceOlder(entry)
      entries.add(entry)
      dropOldestUnacknowledged()
      schedule()
      if (entries.has(entry) && entry.startedAt === undefined) onStateChange('waiting')
    })

  return {
    announce,
    acknowledge(topic, id) {
      let count = 0
      for (const entry of entries) {
        const { announcement, startedAt, hasPlayed } = entry
        if (!announcement.repeat || (topic !== undefined && topic !== announcement.topic)) continue
        if (id !== undefined && id !== announcement.id) continue
        // One that nobody has heard yet is still said once.
        entry.isLast = true
        entry.isAcknowledged = true
        count += 1
        if (startedAt !== undefined) end(entry, 'acknowledged')
        else if (hasPlayed) concludeHeard(entry)
      }
      schedule()
      return count
    },
  }
}

function isPendingAlarm({ announcement, isLast }: Entry): boolean {
  return announcement.repeat?.untilAcknowledged === true && !isLast
}

function createEntry(
  announcement: Announcement,
  options: AnnounceOptions,
  order: number,
  settle: Pick<Entry, 'resolve' | 'reject'>,
): Entry {
  const now = performance.now()
  return {
    announcement,
    options,
    speakers: announcement.speakers,
    ...settle,
    priority: announcement.priority,
    isPart: announcement.sequenceId !== undefined,
    order,
    arrivedAt: now,
    targets: [],
    devices: [],
    expiresAt: now + expiryMs(announcement),
    notBefore: now,
    isEnding: false,
    hasPlayed: false,
    abort() {},
    hasBeenCut: false,
    hasFailed: false,
    isLast: false,
    isAcknowledged: false,
    facts: { times: announcement.repeat?.timesBefore ?? 0, speakers: [] },
  }
}

function expiryMs({ expiresInMs, priority, sequenceId }: Announcement): number {
  return expiresInMs ?? (sequenceId === undefined ? defaultExpiryMs[priority] : Infinity)
}

function partBytes({ announcement: { text }, isPart }: Entry): number {
  return isPart ? Math.max(2 * text.length, minPartBytes) : 0
}

function reportOf(entry: Entry, reason?: NotSaidReason): AnnouncementReport {
  const { announcement, facts, targets, isAcknowledged } = entry
  const { id, priority, topic, repeat, speakers } = announcement
  // The rest of the report shows how often it was said before it was given up.
  const isGivenUp = reason === 'too many waiting'
  const isSaid = facts.times > 0 && !isGivenUp
  const quiet = speakers.filter(({ id }) => !targets.some(({ speaker }) => speaker.id === id))
  const leftOut = quiet.map(({ name }) => ({ name, status: 'quiet hours' as const }))
  return {
    id,
    status: isSaid ? 'said' : 'not said',
    ...(!isSaid && reason && { reason }),
    priority,
    ...(topic !== undefined && { topic }),
    ...facts,
    ...(repeat?.untilAcknowledged && { acknowledged: isAcknowledged }),
    speakers: isSaid ? [...facts.speakers, ...leftOut] : [],
  }
}
