import { randomUUID } from 'node:crypto'
import { type AlarmStore, savableMessage } from './alarm-store.ts'
import type { AnnounceMessage, AnnouncementSettings } from './read-announcement.ts'

export interface KeptAlarm {
  /** How often it was said before the restart. */
  timesBefore: number
  noteSaid(): void
  remove(): void
}

/** The alarms of a node that are kept until somebody acknowledges them. */
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
    /** Keeps an announcement if it is such an alarm. */
    keep(message: AnnounceMessage, text: string, { repeat }: AnnouncementSettings) {
      const known = restored.get(message._msgid)
      if (!repeat?.untilAcknowledged) {
        // The settings of the node have changed since.
        if (known) remove(known.id)
        return undefined
      }
      const id = randomUUID()
      const alarm = known ?? { id, nodeId, message: savableMessage(message, text), text, times: 0 }
      store.save(alarm)
      kept.add(message)
      return {
        timesBefore: alarm.times,
        noteSaid() {
          alarm.times += 1
          store.save(alarm)
        },
        remove: () => remove(alarm.id),
      }
    },
    /** Called when the node is removed from the flow. */
    removeAll() {
      for (const { id } of store.of(nodeId)) store.remove(id)
    },
  }
}

export type KeptAlarms = ReturnType<typeof createKeptAlarms>
