import type { RealtimeClientEvent } from '@parlando/core/wire'

/** Removes the formats from the settings of an event: the sound of a call is always Opus. */
export function withoutFormats(event: RealtimeClientEvent): RealtimeClientEvent {
  if (event.type === 'session.update') {
    delete event.session.audio?.input?.format
    delete event.session.audio?.output?.format
  }
  if (event.type === 'response.create') delete event.response?.audio?.output?.format
  return event
}
