import { randomUUID } from 'node:crypto'
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
  remove(): void
}

/** The announcements of a node that are kept over a restart: alarms until somebody acknowledges them, and what was postponed. */
export function createKeptAlarms(store: AlarmStore, nodeId: string) {
  const restored = new Map(store.of(nodeId).map((alarm) => [alarm.id, alarm]))
  const kept = new WeakSet<AnnounceMessage>()
  /** A later message of the flow may have the id of the alarm, but another text. */
  const remove = (id: string) => {
    restored.delete(id)
    store.remove(id)
  }
  return {
    /** Messages that announce the alarms of the time before a restart or a deploy. */
    restoredMessages: () =>
      [...restored.values()].map(({ id, message }) => ({ ...message, _msgid: id })),
    /** The text of such a message; an expression in the form may no longer return it. */
    restoredText: ({ _msgid }: AnnounceMessage) => restored.get(_msgid)?.text,
    /** Whether the announcement of a message is kept. */
    keeps: (message: AnnounceMessage) => kept.has(message),
    /** Keeps an announcement if it is an alarm, and as soon as it is postponed. */
    keep(
      message: AnnounceMessage,
      text: string,
      { repeat }: AnnouncementSettings,
    ): KeptAlarm | undefined {
      const known = restored.get(message._msgid)
      const isAlarm = repeat?.untilAcknowledged === true
      if (known && !isAlarm && known.againAt === undefined) {
        // The settings of the node have changed since.
        remove(known.id)
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
        remove() {
          if (alarm) remove(alarm.id)
        },
      }
    },
    /** Called when the node is removed from the flow. */
    removeAll() {
      for (const { id } of store.of(nodeId)) store.remove(id)
    },
  }
}

function newAlarm(message: AnnounceMessage, text: string) {
  return { id: randomUUID(), message: savableMessage(message, text), text, times: 0 }
}

export type KeptAlarms = ReturnType<typeof createKeptAlarms>
