import type { RealtimeClientEvent, RealtimeSession } from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../../../errors.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { type FormPart, readForm } from '../../../http/read-form.ts'
import { parseBody, readBody, readJsonBody } from '../../../http/read-json.ts'
import type { ApiContext, Endpoint } from '../../endpoint.ts'
import type { Connection } from '../connection.ts'
import { converse } from '../converse.ts'
import { requireFreeSession } from '../session-limit.ts'
import type { AcceptedCall, Calls } from './calls.ts'
import {
  callQuerySchema,
  callRequestSchema,
  hangUpOperation,
  iceServersOperation,
  startCallOperation,
} from './operation.ts'

/** The client reaches the service directly. */
const iceServers: readonly never[] = []

export const startCall: Endpoint = {
  operation: startCallOperation,
  maxBodyBytes: 256 * 1024,
  createHandler(service) {
    const { calls } = service
    if (!calls) return undefined
    return async (context) => {
      const { model } = parseRequest(context, callQuerySchema, context.req.query())
      const { sdp, session } = await readCall(context)
      const modelId = model ?? session?.model ?? 'auto'
      const options = { service, calls, context, sdp, session, modelId }
      const { id, answer } = await serveCall(options)
      context.header('location', `/v1/realtime/calls/${id}`)
      if (hasType(context, 'application/json')) {
        return context.json({ id, sdp: answer, ice_servers: iceServers }, 201)
      }
      return context.body(answer, 201, { 'content-type': 'application/sdp' })
    }
  },
}

export const hangUp: Endpoint = {
  operation: hangUpOperation,
  createHandler({ calls }) {
    if (!calls) return undefined
    return async (context) => {
      const id = context.req.param('callId') ?? ''
      if (await calls.hangUp(id)) return context.body(null, 200)
      throw new ServiceError('NOT_FOUND', `There is no call ${id}; it may have ended`)
    }
  },
}

export const listIceServers: Endpoint = {
  operation: iceServersOperation,
  createHandler({ calls }) {
    if (!calls) return undefined
    return (context) => {
      calls.requireWebRtc()
      return context.json({ ice_servers: iceServers })
    }
  },
}

interface CallRequest {
  sdp: string
  session?: RealtimeSession
}

async function readCall(context: Context): Promise<CallRequest> {
  if (hasType(context, 'application/json')) {
    return parseRequest(context, callRequestSchema, await readJsonBody(context))
  }
  const body = Buffer.from(await readBody(context))
  if (!hasType(context, 'multipart/form-data')) return { sdp: body.toString() }
  const parts = readForm(context.req.header('content-type'), body)
  return parseRequest(context, callRequestSchema, await toFields(parts))
}

function hasType(context: Context, mediaType: string): boolean {
  return context.req.header('content-type')?.startsWith(mediaType) ?? false
}

/** The settings are JSON in a part of the form. */
async function toFields(parts: readonly FormPart[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const { name, content } of parts) {
    fields[name] = name === 'session' ? await parseBody(content, name) : content.toString()
  }
  return fields
}

interface CallOptions extends CallRequest {
  service: ApiContext
  calls: Calls
  context: Context
  modelId: string
}

/** The session begins when the client has connected, and continues after the response. */
function serveCall(options: CallOptions): Promise<AcceptedCall> {
  const { service, calls, context: request, sdp, session, modelId } = options
  requireFreeSession()
  return calls.accept(sdp, {
    serve(opened) {
      const messages = session ? startWith(session, opened) : opened.messages
      return converse({ service, request, modelId, connection: { ...opened, messages } })
    },
    onFailure: service.onFailure,
  })
}

/** The messages of a client that has sent its first settings with the offer. */
async function* startWith(
  session: RealtimeSession,
  { messages }: Connection,
): AsyncGenerator<Buffer | RealtimeClientEvent> {
  yield { type: 'session.update', session }
  yield* messages
}
