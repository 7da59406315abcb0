import {
  type RealtimeClientEvent,
  type RealtimeServerEvent,
  realtimeClientEventSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { BusyError, ServiceError } from '../../errors.ts'
import type { ClientSocket, ServeSocket } from '../../http/client-socket.ts'
import { endWithError } from '../../http/end-with-error.ts'
import { parseRequest } from '../../http/parse-request.ts'
import { parseBody } from '../../http/read-json.ts'
import { newId } from '../../realtime/new-id.ts'
import type { Emit } from '../../realtime/response-output.ts'
import { type Session, startSession } from '../../realtime/session.ts'
import { SessionError, toErrorEvent } from '../../realtime/session-error.ts'
import { isServiceFault } from '../../to-service-error.ts'
import type { ApiContext, SocketEndpoint } from '../endpoint.ts'
import { countRealtimeEvent } from '../metrics/socket-counts.ts'
import { createSessionContext } from './session-context.ts'

/** Of the whole process: more sessions would stutter on two cores. */
const maxSessions = 20
const retryAfterSeconds = 5
const sessionLimitMs = 60 * 60_000
const silenceLimitMs = 10 * 60_000

let openSessions = 0

/** The path of the OpenAI API. `model` names the language model. */
export const realtime: SocketEndpoint = {
  path: '/v1/realtime',
  createServer: (service, handshake) => serve(service, handshake),
}

/** The path of the hosted service. `key` is an id that the client chooses for the session; this service ignores it. */
export const hostedRealtime: SocketEndpoint = {
  path: '/api/v1/realtime/session',
  createServer(service, handshake) {
    const protocol = handshake.req.query('protocol')
    if (protocol === 'realtime') return serve(service, handshake)
    const message =
      'protocol: must be realtime, as in /api/v1/realtime/session?key=…&protocol=realtime'
    throw new ServiceError('INVALID_ARGUMENT', message)
  },
}

function serve(service: ApiContext, handshake: Context): ServeSocket {
  if (openSessions >= maxSessions) {
    const message = `The limit of ${maxSessions} realtime sessions is reached; try again in ${retryAfterSeconds} s`
    throw new BusyError(message, retryAfterSeconds)
  }
  return async (socket) => {
    openSessions++
    try {
      await converse(service, handshake, socket)
    } finally {
      openSessions--
    }
  }
}

async function converse(
  service: ApiContext,
  handshake: Context,
  socket: ClientSocket,
): Promise<void> {
  const counts = service.metrics?.sockets
  const emit: Emit = (event) => {
    if (counts) countRealtimeEvent(counts, event)
    return socket.send(withId(event))
  }
  const modelId = handshake.req.query('model') ?? 'auto'
  const endsAtMs = performance.now() + sessionLimitMs
  let session: Session | undefined
  try {
    socket.limitSilence(silenceLimitMs)
    session = await startSession({ ...createSessionContext(service), modelId, emit })
    for await (const bytes of socket.messages) {
      if (performance.now() > endsAtMs) throw expired()
      const problem = await takeMessage(bytes, session, handshake)
      if (!problem) continue
      if (isServiceFault(problem.error)) service.onFailure(problem.error)
      await emit(toErrorEvent(problem.error, problem.eventId))
    }
  } catch (error) {
    const { onFailure } = service
    await endWithError(socket, error, {
      onFailure,
      toMessage: (reason) => withId(toErrorEvent(reason)),
    })
  } finally {
    await session?.close()
  }
}

interface Problem {
  error: unknown
  /** The event that caused it, if the client named it. */
  eventId: string | null
}

/** Handles one event. @returns the reason why the session rejects it. */
async function takeMessage(
  bytes: Buffer,
  session: Session,
  handshake: Context,
): Promise<Problem | undefined> {
  let eventId: string | null = null
  try {
    const json = await parseBody(bytes, 'The event')
    const { event_id: id } = Object(json) as { event_id?: unknown }
    if (typeof id === 'string') eventId = id
    const event: RealtimeClientEvent = parseRequest(handshake, realtimeClientEventSchema, json)
    await session.take(event)
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
