import {
  type RealtimeClientEvent,
  type RealtimeServerEvent,
  realtimeClientEventSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { isServiceFault } from '../errors/to-service-error.ts'
import { countRealtimeEvent } from '../metrics/socket-metrics.ts'
import { parseRequest } from '../requests/parse-request.ts'
import { parseBody } from '../requests/read-json.ts'
import { callerOf } from '../server/admission/caller.ts'
import { traceOf } from '../server/observability/observe.ts'
import { endWithError } from '../server/sockets/client-socket.ts'
import { type Emit, newId, SessionError, toErrorEvent } from './server-events.ts'
import { type Session, startSession } from './session.ts'
import { acquireSession, type SessionConnection } from './session-connection.ts'
import { type ConversationContext, createSessionServices } from './session-services.ts'
import type { SessionType } from './session-settings.ts'

export interface ConverseOptions {
  service: ConversationContext
  /** The request that has opened the connection. */
  request: Context
  /** Default: `realtime`. */
  type?: SessionType
  /** The name of the language model or, in a session that only transcribes, of the recogniser. */
  modelId: string
  connection: SessionConnection
}

const sessionLimitMs = 60 * 60_000
const silenceLimitMs = 10 * 60_000

/** Holds a session with a client until one of the two ends it. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { service, type, modelId, connection } = options
  const counts = service.metrics?.sockets
  const emit: Emit = (event) => {
    if (counts) countRealtimeEvent(counts, event)
    return connection.send(withId(event))
  }
  const endsAtMs = performance.now() + sessionLimitMs
  let session: Session | undefined
  let release = () => {}
  if (counts) counts.sessions++
  try {
    release = acquireSession(connection.replaceable)
    connection.limitSilence(silenceLimitMs)
    const { player } = connection
    const services = createSessionServices(service, {
      caller: callerOf(options.request),
      trace: traceOf(options.request),
    })
    session = await startSession({ ...services, type, modelId, emit, player })
    connection.watchWork?.(session.isBusy)
    for await (const message of connection.messages) {
      if (performance.now() > endsAtMs) throw expired()
      const problem = await takeMessage(message, session, options)
      if (!problem) continue
      if (isServiceFault(problem.error)) service.onFailure(problem.error)
      await emit(toErrorEvent(problem.error, problem.eventId))
    }
  } catch (error) {
    const { onFailure } = service
    await endWithError(connection, error, {
      onFailure,
      toMessage: (reason) => withId(toErrorEvent(reason)),
    })
  } finally {
    if (counts) counts.sessions--
    await session?.close()
    release()
  }
}

interface Problem {
  error: unknown
  /** The event that caused it, if the client named it. */
  eventId: string | null
}

/** Handles one event. @returns the reason why the session rejects it. */
async function takeMessage(
  message: Buffer | RealtimeClientEvent,
  session: Session,
  { request, connection }: ConverseOptions,
): Promise<Problem | undefined> {
  let eventId: string | null = null
  const read = async (bytes: Buffer): Promise<RealtimeClientEvent> => {
    const json = await parseBody(bytes, 'The event')
    const { event_id: id } = Object(json) as { event_id?: unknown }
    if (typeof id === 'string') eventId = id
    return parseRequest(request, realtimeClientEventSchema, json)
  }
  try {
    const event = Buffer.isBuffer(message) ? await read(message) : message
    await session.take(connection.withoutUnused?.(event) ?? event)
    return undefined
  } catch (error) {
    return { error, eventId }
  }
}

function withId(event: RealtimeServerEvent): object {
  return { ...event, event_id: newId('event') }
}

function expired(): SessionError {
  const message = `The session has reached the limit of ${sessionLimitMs / 60_000} minutes; open a new one`
  return new SessionError('session_expired', message)
}
