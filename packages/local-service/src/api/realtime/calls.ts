import type { RealtimeClientEvent, RealtimeSession } from '@parlando/core/wire'
import { realtimeSessionSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import type { AcceptedCall, Calls } from '../../conversation/calls/running-calls.ts'
import { converse } from '../../conversation/converse.ts'
import {
  requireFreeSession,
  type SessionConnection,
} from '../../conversation/session-connection.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import { type FormPart, readForm } from '../../requests/read-form.ts'
import { parseBody, readBody, readJsonBody } from '../../requests/read-json.ts'
import { type ApiContext, type Endpoint, named } from '../app/endpoint.ts'

const callQuerySchema = z.object({
  /** The language model. Default: that of the session, or `auto`. */
  model: z.string().min(1, 'must not be empty').optional(),
})

const callRequestSchema = z.strictObject({
  /** The offer of the client. */
  sdp: z.string(),
  /** The first settings of the session. */
  session: realtimeSessionSchema.optional(),
})

const callRequest = named('CallRequest', callRequestSchema)

const iceServersSchema = z.array(
  z.object({
    urls: z.union([z.string(), z.array(z.string())]),
    username: z.string().optional(),
    credential: z.string().optional(),
  }),
)

/** The client reaches the service directly. */
const iceServers: readonly never[] = []

export const startCall: Endpoint = {
  operation: {
    method: 'post',
    path: '/v1/realtime/calls',
    summary:
      'Starts a realtime session over WebRTC. A body of the type application/sdp is the offer, and the response is the answer; a form and a JSON body also have settings',
    key: 'basic or bearer',
    query: named('CallQuery', callQuerySchema),
    body: callRequest,
    form: callRequest,
    bodyExample: { sdp: 'v=0\r\n', session: { instructions: 'Be kind.' } },
    responses: {
      'application/json': named(
        'StartedCall',
        z.object({ id: z.string(), sdp: z.string(), ice_servers: iceServersSchema }),
      ),
      'application/sdp': 'text',
    },
    status: 201,
  },
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
  operation: {
    method: 'post',
    path: '/v1/realtime/calls/{callId}/hangup',
    summary: 'Ends a call over WebRTC',
    key: 'basic or bearer',
    responses: {},
  },
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
  operation: {
    method: 'get',
    path: '/v1/realtime/ice-servers',
    summary: 'Lists the servers that help a client to connect; none, because it connects directly',
    key: 'basic or bearer',
    responses: {
      'application/json': named('IceServers', z.object({ ice_servers: iceServersSchema })),
    },
  },
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
  { messages }: SessionConnection,
): AsyncGenerator<Buffer | RealtimeClientEvent> {
  yield { type: 'session.update', session }
  yield* messages
}
