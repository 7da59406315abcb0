import { realtimeSessionSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../../operation.ts'

export const callQuerySchema = z.object({
  /** The language model. Default: that of the session, or `auto`. */
  model: z.string().min(1, 'must not be empty').optional(),
})

export const callRequestSchema = z.strictObject({
  /** The offer of the client. */
  sdp: z.string(),
  /** The first settings of the session. */
  session: realtimeSessionSchema.optional(),
})

const callRequest = named('CallRequest', callRequestSchema)

const iceServers = z.array(
  z.object({
    urls: z.union([z.string(), z.array(z.string())]),
    username: z.string().optional(),
    credential: z.string().optional(),
  }),
)

export const startCallOperation: Operation = {
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
      z.object({ id: z.string(), sdp: z.string(), ice_servers: iceServers }),
    ),
    'application/sdp': 'text',
  },
  status: 201,
}

export const hangUpOperation: Operation = {
  method: 'post',
  path: '/v1/realtime/calls/{callId}/hangup',
  summary: 'Ends a call over WebRTC',
  key: 'basic or bearer',
  responses: {},
}

export const iceServersOperation: Operation = {
  method: 'get',
  path: '/v1/realtime/ice-servers',
  summary: 'Lists the servers that help a client to connect; none, because it connects directly',
  key: 'basic or bearer',
  responses: {
    'application/json': named('IceServers', z.object({ ice_servers: iceServers })),
  },
}
