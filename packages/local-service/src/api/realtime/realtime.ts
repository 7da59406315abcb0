import type { Context } from 'hono'
import { converse } from '../../conversation/converse.ts'
import { requireFreeSession } from '../../conversation/session-connection.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { ServeSocket } from '../../server/sockets/client-socket.ts'
import type { ApiContext, SocketEndpoint } from '../app/endpoint.ts'

/** The path of the OpenAI API. `model` names the language model; with `intent=transcription`, the recogniser. */
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
  requireFreeSession()
  const { model: modelId = 'auto', intent } = handshake.req.query()
  const type = intent === 'transcription' ? intent : 'realtime'
  return (socket) => converse({ service, request: handshake, type, modelId, connection: socket })
}
