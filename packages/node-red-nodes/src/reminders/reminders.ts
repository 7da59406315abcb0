import type { SavedList } from '../saved/saved-list.ts'
import { lastAndNext } from './recurrence.ts'
import { halfTimeOf, type Reminder, type ReminderEvent } from './reminder.ts'
import { minuteMs } from './zoned-time.ts'

export interface RemindersOptions {
  store: SavedList<Reminder>
  nodeId: string
  /** Called for each reminder that is due, with the time at which it was due. */
  onDue(reminder: Reminder, event: ReminderEvent): void
  /** Called when the list has changed. */
  onChange(): void
}

/** One node has at most this many. The reminders of all nodes fit into the file. */
export const maxReminders = 200

/** A timer of Node.js can wait no longer than 24.8 days, and it does not follow a clock that is set, or a machine that sleeps. */
const maxWaitMs = minuteMs

/** Node-RED may be busy for a moment: that is no delay to speak of. */
const lateMs = 2 * minuteMs

/** The reminders of a node: waits until each is due. */
export class Reminders {
  readonly #options: RemindersOptions
  readonly #reminders: Map<string, Reminder>
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  /** The one that was said last, and when. */
  #lastSaid: { reminder: Reminder; saidMs: number } | undefined

  constructor(options: RemindersOptions) {
    this.#options = options
    const saved = options.store.of(options.nodeId)
    this.#reminders = new Map(saved.map((reminder) => [reminder.id, reminder]))
  }

  /** Begins with those that became due while Node-RED was not running. */
  start(): void {
    this.#isStarted = true
    this.#check()
  }

  /** All reminders, the next one first. */
  list(): Reminder[] {
    return [...this.#reminders.values()].sort((one, other) => one.dueMs - other.dueMs)
  }

  /** The reminder that was said last, also if it is over, unless that was before a time or it was cancelled meanwhile. */
  saidSince(timeMs: number): Reminder | undefined {
    if (!this.#lastSaid || this.#lastSaid.saidMs < timeMs) return undefined
    const { reminder, saidMs } = this.#lastSaid
    return this.#reminders.get(reminder.id) ?? { ...reminder, saidMs }
  }

  hasRoomFor(id: string): boolean {
    return this.#reminders.has(id) || this.#reminders.size < maxReminders
  }

  /** Adds a reminder, or replaces the one with this id. */
  set(reminder: Reminder): void {
    this.#keep(reminder)
    this.#check()
  }

  cancel(reminders: readonly Reminder[]): void {
    for (const { id } of reminders) this.#remove(id)
    this.#check()
  }

  /** Stops waiting. The reminders stay in the file. */
  close(): void {
    this.#isStarted = false
    clearTimeout(this.#timer)
  }

  #check(): void {
    clearTimeout(this.#timer)
    if (!this.#isStarted) return
    const nowMs = Date.now()
    for (const reminder of this.list()) {
      // A flow that has received another one may have cancelled or moved it, which also sends all that are due.
      if (this.#reminders.get(reminder.id) !== reminder) continue
      if (reminder.dueMs <= nowMs) this.#takeDue(reminder, nowMs)
      else if (reminder.half && halfTimeOf(reminder) <= nowMs) this.#takeHalf(reminder)
    }
    this.#options.onChange()
    // A flow that receives a reminder may have stopped this node.
    if (this.#isStarted) this.#wait()
  }

  #wait(): void {
    // A flow that has received a reminder may have set another one, which waits already.
    clearTimeout(this.#timer)
    const times = this.list().map((one) => (one.half ? halfTimeOf(one) : one.dueMs))
    if (times.length === 0) return
    const waitMs = Math.min(Math.max(0, Math.min(...times) - Date.now()), maxWaitMs)
    this.#timer = setTimeout(() => this.#check(), waitMs)
  }

  #takeDue(reminder: Reminder, nowMs: number): void {
    const { nextMs: usualMs = reminder.dueMs, ...usual } = reminder
    const { recurrence, timeZone, id } = usual
    let { dueMs } = reminder
    if (recurrence) {
      const { lastMs, nextMs } =
        usualMs > nowMs
          ? { lastMs: dueMs, nextMs: usualMs }
          : lastAndNext(recurrence, { dueMs: usualMs, nowMs, timeZone })
      // A full store forgets the oldest ones first, and this one is wanted.
      this.#options.store.remove(id)
      this.#keep({ ...usual, dueMs: nextMs, saidMs: nowMs })
      // If several were missed, only the last one is said.
      dueMs = Math.max(dueMs, lastMs)
    } else this.#remove(id)
    this.#lastSaid = { reminder, saidMs: nowMs }
    this.#options.onDue({ ...reminder, dueMs }, nowMs - dueMs > lateMs ? 'late' : 'due')
  }

  #takeHalf({ half: _half, ...reminder }: Reminder): void {
    this.#keep(reminder)
    this.#options.onDue(reminder, 'half')
  }

  #keep(reminder: Reminder): void {
    this.#reminders.set(reminder.id, reminder)
    this.#options.store.save(reminder)
  }

  #remove(id: string): void {
    this.#reminders.delete(id)
    this.#options.store.remove(id)
    if (this.#lastSaid?.reminder.id === id) this.#lastSaid = undefined
  }
}
