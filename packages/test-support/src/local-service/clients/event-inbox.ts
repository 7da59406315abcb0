import { EventEmitter, once } from 'node:events'
import type { RealtimeServerEvent } from '@parlando/core/wire'

/** The events that a client has received. */
export interface EventInbox {
  events: RealtimeServerEvent[]
  add(event: RealtimeServerEvent): void
  /** Waits for the next event of this type that was not waited for. */
  next<Type extends RealtimeServerEvent['type']>(
    type: Type,
  ): Promise<Extract<RealtimeServerEvent, { type: Type }>>
}

export function createEventInbox(): EventInbox {
  const events: RealtimeServerEvent[] = []
  const arrived = new EventEmitter()
  let position = 0
  return {
    events,
    add(event) {
      events.push(event)
      arrived.emit('event')
    },
    async next(type) {
      for (;;) {
        const index = events.findIndex((event, at) => at >= position && event.type === type)
        if (index >= 0) {
          position = index + 1
          return events[index] as never
        }
        await once(arrived, 'event')
      }
    },
  }
}
