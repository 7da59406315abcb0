import { randomUUID } from 'node:crypto'
import type { AlarmStore } from './alarm-store.ts'
import type { AnnounceMessage, AnnouncementSettings } from './read-announcement.ts'
import { savableMessage } from './savable-message.ts'

/** The alarms of a node that are kept until somebody acknowledges them. */
export interface KeptAlarms {
  /** Messages that announce the alarms of the time before a restart or a deploy. */
  restoredMessages(): AnnounceMessage[]
  /** The text of such a message; an expression in the form may no longer return it. */
  restoredText(message: AnnounceMessage): string | undefined
  /** Keeps an announcement if it is such an alarm. */
  keep(
    message: AnnounceMessage,
    text: string,
    settings: AnnouncementSettings,
  ): KeptAlarm | undefined
  /** Whether the announcement of a message is kept. */
  keeps(message: AnnounceMessage): boolean
  /** Called when the node is removed from the flow. */
  removeAll(): void
}

export interface KeptAlarm {
  /** How often it was said before the restart. */
  timesBefore: number
  noteSaid(): void
  remove(): void
}

export function createKeptAlarms(store: AlarmStore, nodeId: string): KeptAlarms {
  const restored = new Map(store.of(nodeId).map((alarm) => [alarm.id, alarm]))
  const kept = new WeakSet<AnnounceMessage>()
  /** A later message of the flow may have the id of the alarm, but another text. */
  const remove = (id: string) => {
    restored.delete(id)
    store.remove(id)
  }
  return {
    restoredMessages: () =>
      [...restored.values()].map(({ id, message }) => ({ ...message, _msgid: id })),
    restoredText: ({ _msgid }) => restored.get(_msgid)?.text,
    keeps: (message) => kept.has(message),
    keep(message, text, { repeat }) {
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
    removeAll() {
      for (const { id } of store.of(nodeId)) store.remove(id)
    },
  }
}
