import type { RealtimeClientEvent } from '@parlando/core/wire'
import type { ClientSocket } from '../server/client-socket.ts'
import type { Player } from './player.ts'

/** A connection with the client of a session: a WebSocket or a call. */
export interface Connection
  extends Pick<ClientSocket, 'signal' | 'send' | 'limitSilence' | 'close'>,
    // A call sends sound all the time, so it never makes room.
    Partial<Pick<ClientSocket, 'replaceable' | 'watchWork'>> {
  /** What the client sends, in order: events as JSON, or events that need no check. */
  readonly messages: AsyncIterable<Buffer | RealtimeClientEvent>
  /** If the service plays the sound. Default: the client plays it. */
  player?: Player
  /** Removes the settings that have no effect on this connection. */
  withoutUnused?(event: RealtimeClientEvent): RealtimeClientEvent
}
