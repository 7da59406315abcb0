import { availableParallelism } from 'node:os'
import type { RealtimeClientEvent } from '@parlando/core/wire'
import { BusyError } from '../errors/service-error.ts'
import { chooseSilent, type ReplaceableConnection } from '../server/connections/make-room.ts'
import type { ClientSocket } from '../server/sockets/client-socket.ts'

/** A connection with the client of a session: a WebSocket or a call. */
export interface SessionConnection
  extends Pick<ClientSocket, 'signal' | 'send' | 'limitSilence' | 'close'>,
    // A call sends sound all the time, so it never makes room.
    Partial<Pick<ClientSocket, 'replaceable' | 'watchWork'>> {
  /** What the client sends, in order: events as JSON, or events that need no check. */
  readonly messages: AsyncIterable<Buffer | RealtimeClientEvent>
  /** If the service plays the sound. Default: the client plays it. */
  player?: SessionPlayer
  /** Removes the settings that have no effect on this connection. */
  withoutUnused?(event: RealtimeClientEvent): RealtimeClientEvent
}

/** Plays the responses of a session, if the service does it instead of the client. */
export interface SessionPlayer {
  /** Holds the sound back: the user may be interrupting. */
  pause(): void
  resume(): void
  /** Drops the sound that the user has not heard. */
  clear(): void
}

const retryAfterSeconds = 5

/**
 * Sessions of the whole process. With more than five per core, speech has gaps if all users speak at once. More than 20 were
 * never measured.
 */
export const maxSessions = sessionLimit(availableParallelism())

export function sessionLimit(cores: number): number {
  return Math.min(20, 5 * cores)
}

/** The connections of all sessions. */
const connections = new Set<ReplaceableConnection>()

/**
 * Checks that another session may begin. A silent one ends only when it does, since the request may still be rejected.
 * @throws {BusyError} if there are as many sessions as allowed, and none is silent.
 */
export function requireFreeSession(): void {
  findReplaced()
}

/** @returns the silent session that makes room for another one; nothing if there is room. */
function findReplaced(): ReplaceableConnection | undefined {
  if (connections.size < maxSessions) return undefined
  const silent = chooseSilent(connections)
  if (silent) return silent
  const limit = `at most ${maxSessions} conversations at the same time on this device`
  const reason = `five per core, up to ${sessionLimit(Number.POSITIVE_INFINITY)}`
  const message = `The service holds ${limit} (${reason}); try again in ${retryAfterSeconds} s`
  throw new BusyError(message, retryAfterSeconds)
}

/**
 * Counts a session over any connection until the returned function is called.
 * @param connection makes room when it is silent. Default: it never does.
 * @throws {BusyError} if there are as many sessions as allowed, and none is silent.
 */
export function acquireSession(connection: ReplaceableConnection = createPermanent()): () => void {
  const replaced = findReplaced()
  if (replaced) {
    connections.delete(replaced)
    replaced.makeRoom()
  }
  connections.add(connection)
  return () => void connections.delete(connection)
}

function createPermanent(): ReplaceableConnection {
  return { address: '', isBusy: true, lastEventMs: 0, makeRoom() {} }
}
