import { isLower, type Priority } from './announcement.ts'
import type { NotSaidReason } from './playback-report.ts'

/** What the queue needs to know about an announcement. Times are in ms, of a clock that never jumps. */
export interface QueueEntry {
  readonly priority: Priority
  /** Among entries of the same priority, the lowest number comes first. */
  readonly order: number
  /** A part of a sequence, of which any number may wait. */
  readonly isPart: boolean
  /** The devices of its speakers. */
  readonly devices: readonly string[]
  /** The sound of a play node. */
  readonly isMusic: boolean
  /** Those of its devices on which it plays over music. */
  readonly overMusic: readonly string[]
  readonly expiresAt: number
  /** Until then it does not take part, for example between two repetitions. */
  readonly notBefore: number
  /** When it started to play; `undefined` while it waits. */
  readonly startedAt: number | undefined
  /** It plays, but has been stopped. */
  readonly isEnding: boolean
  /** It has played before: it is a repetition, or was cut. */
  readonly hasPlayed: boolean
}

export interface Plan<Entry> {
  drop: { entry: Entry; reason: NotSaidReason }[]
  /** Have to end now. Those that wait for their speakers start in a later plan. */
  cut: Entry[]
  start: Entry[]
  /** When to plan again, unless the entries change before. */
  nextAt: number
}

/** How many announcements may wait for a device. */
const maxWaiting = 20
/** An alarm plays for this long before the next alarm cuts it. */
const minAlarmMs = 10_000

/**
 * Decides which announcements start, end or are dropped now.
 *
 * The most important one is first, then the oldest. Each starts when all its speakers are free. One that cannot start
 * claims its speakers, so that those behind it cannot make it wait for ever.
 */
export function planQueue<Entry extends QueueEntry>(
  entries: readonly Entry[],
  now: number,
): Plan<Entry> {
  const waiting = entries.filter(({ startedAt }) => startedAt === undefined)
  const expired = waiting.filter(({ expiresAt }) => expiresAt <= now)
  const current = waiting.filter((entry) => !expired.includes(entry)).sort(byImportance)
  const surplus = findSurplus(current, now)
  const candidates = current.filter((entry) => !surplus.has(entry))

  const plan: Plan<Entry> = {
    drop: [
      ...expired.map((entry) => ({ entry, reason: 'expired' as const })),
      ...[...surplus].map((entry) => ({ entry, reason: 'too many waiting' as const })),
    ],
    cut: [],
    start: [],
    nextAt: Math.min(
      ...candidates.flatMap(({ expiresAt, notBefore }) =>
        notBefore > now ? [expiresAt, notBefore] : expiresAt,
      ),
    ),
  }
  const playing = entries.filter(({ startedAt }) => startedAt !== undefined)
  const claimed = { byMusic: new Set<string>(), byOthers: new Set<string>() }
  for (const entry of candidates) {
    if (entry.notBefore > now) continue
    const { devices, overMusic, isMusic } = entry
    const isBehind =
      devices.some((device) => claimed.byOthers.has(device)) ||
      devices.some((device) => claimed.byMusic.has(device) && !overMusic.includes(device))
    for (const device of devices) claimed[isMusic ? 'byMusic' : 'byOthers'].add(device)
    if (isBehind) continue
    const blockers = playing.filter((other) => meet(entry, other))
    const cutAt = Math.max(...blockers.map((blocker) => cutTime(entry, blocker)))
    if (blockers.length === 0) plan.start.push(entry)
    else if (cutAt <= now) plan.cut.push(...blockers.filter(({ isEnding }) => !isEnding))
    else plan.nextAt = Math.min(plan.nextAt, cutAt)
  }
  return plan
}

/** Whether an entry that waits needs a device on which another one plays. */
function meet({ devices, overMusic }: QueueEntry, playing: QueueEntry): boolean {
  const isFree = (device: string) => playing.isMusic && overMusic.includes(device)
  return devices.some((device) => playing.devices.includes(device) && !isFree(device))
}

function byImportance(left: QueueEntry, right: QueueEntry): number {
  if (left.priority === right.priority) return left.order - right.order
  return isLower(left.priority, right.priority) ? 1 : -1
}

/**
 * For each device with too many waiting entries: the oldest ones of the lowest priority. Entries between two repetitions do
 * not wait for the device.
 */
function findSurplus<Entry extends QueueEntry>(
  byImportance: readonly Entry[],
  now: number,
): Set<Entry> {
  const surplus = new Set<Entry>()
  for (const device of new Set(byImportance.flatMap(({ devices }) => devices))) {
    const waiting = byImportance.filter((entry) => {
      const { isPart, hasPlayed, notBefore } = entry
      const waits = !isPart && !(hasPlayed && notBefore > now)
      return waits && entry.devices.includes(device) && !surplus.has(entry)
    })
    while (waiting.length > maxWaiting) {
      const lowest = waiting.at(-1)?.priority
      const [oldest] = waiting.splice(
        waiting.findIndex(({ priority }) => priority === lowest),
        1,
      )
      if (oldest) surplus.add(oldest)
    }
  }
  return surplus
}

/** When an entry that waits may cut one that plays. */
function cutTime(waiting: QueueEntry, playing: QueueEntry): number {
  if (playing.isEnding || isLower(playing.priority, waiting.priority)) return 0
  // Two alarms that repeat would otherwise cut each other for ever.
  const isNewAlarm = waiting.priority === 'alarm' && !waiting.hasPlayed
  return isNewAlarm && playing.priority === 'alarm' ? playing.startedAt! + minAlarmMs : Infinity
}
