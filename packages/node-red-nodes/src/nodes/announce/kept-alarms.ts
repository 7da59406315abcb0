import { randomUUID } from 'node:crypto'
import { RestoredMessages } from '../../saved/restored-messages.ts'
import { savableMessage } from '../../saved/savable-message.ts'
import type { AlarmStore, SavedAlarm } from './alarm-store.ts'
import type { AnnounceMessage, AnnouncementSettings } from './read-announcement.ts'

export interface KeptAlarm {
  /** How often it was said before the restart. */
  timesBefore: number
  /** If it was postponed before the restart: when it is said again, in ms since 1970. */
  againAt?: number
  noteSaid(): void
  notePostponed(againAt: number): void
  /** It is said again although its message has left the node. @param againAt in ms since 1970. */
  noteWantedAgain(againAt: number): void
  remove(): void
}

/** The announcements of a node that are kept over a restart: alarms until somebody acknowledges them, and what was postponed. */
export function createKeptAlarms(store: AlarmStore, nodeId: string) {
  const restored = new RestoredMessages(store, nodeId)
  const kept = new WeakSet<AnnounceMessage>()
  return {
    /** Messages that announce the alarms of the time before a restart or a deploy. */
    restoredMessages: () => restored.messages,
    /** The text of such a message; an expression in the form may no longer return it. */
    restoredText: (message: AnnounceMessage) => restored.entryOf(message)?.text,
    /** Whether such a message has left the node before: it does not leave again when it was said. */
    hasLeft: (message: AnnounceMessage) => restored.entryOf(message)?.hasLeft === true,
    /** Whether the announcement of a message is kept. */
    keeps: (message: AnnounceMessage) => kept.has(message),
    /** Such a message has failed: it leaves the node, and does not come back with each restart. */
    forget(message: AnnounceMessage) {
      const known = restored.entryOf(message)
      if (known) restored.remove(known.id)
    },
    /** Keeps an announcement if it is an alarm, and as soon as it is postponed. */
    keep(
      message: AnnounceMessage,
      text: string,
      { repeat }: AnnouncementSettings,
    ): KeptAlarm | undefined {
      const known = restored.entryOf(message)
      const isAlarm = repeat?.untilAcknowledged === true
      if (known && !isAlarm && known.againAt === undefined) {
        // The settings of the node have changed since.
        restored.remove(known.id)
        return undefined
      }
      let alarm = known
      const save = (changes: Partial<SavedAlarm> = {}) => {
        alarm ??= { ...newAlarm(message, text), nodeId }
        Object.assign(alarm, changes)
        store.save(alarm)
        kept.add(message)
      }
      if (isAlarm || known) save()
      return {
        timesBefore: known?.times ?? 0,
        ...(known?.againAt !== undefined && { againAt: known.againAt }),
        noteSaid() {
          if (!alarm) return
          const { againAt: _over, ...said } = alarm
          alarm = said
          save({ times: said.times + 1 })
        },
        notePostponed: (againAt) => save({ againAt }),
        noteWantedAgain: (againAt) => save({ againAt, hasLeft: true }),
        remove() {
          if (alarm) restored.remove(alarm.id)
        },
      }
    },
  }
}

function newAlarm(message: AnnounceMessage, text: string) {
  return { id: randomUUID(), message: savableMessage(message, text), text, times: 0 }
}

export type KeptAlarms = ReturnType<typeof createKeptAlarms>
