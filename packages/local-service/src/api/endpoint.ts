import type { Context, Handler, Hono } from 'hono'
import type { ChatUpstream } from '../chat/chat-upstream.ts'
import type { Calls } from '../conversation/calls/calls.ts'
import type { ConversationServices } from '../conversation/session-services.ts'
import { add, type Tally } from '../metrics/socket-counts.ts'
import type { LocalModels } from '../models/install/local-models.ts'
import { type BodyBudget, limitBody } from '../requests/limit-body.ts'
import type { ServeSocket } from '../server/client-socket.ts'
import { acceptSocket } from '../server/sockets.ts'
import { type Operation, pathsOf } from './operation.ts'

/** The parts of the running service that the app needs. */
export interface AppContext extends Omit<ConversationServices, 'chatUpstream'> {
  /** Opens the models that this machine can have. Default: the service installs and removes none. */
  openLocalModels?(): Promise<LocalModels>
  /** Default: the service has no calls over WebRTC. */
  calls?: Calls
  /** Whether the service is about to stop. Default: no. */
  isStopping?(): boolean
}

/** The parts of the service that an endpoint can use. */
export interface ApiContext extends AppContext {
  chatUpstream?: ChatUpstream
}

/** An endpoint of the service: its OpenAPI description and its handler. */
export interface Endpoint {
  operation: Operation
  /** Maximum size of a request body in bytes. Default: the endpoint reads no body. */
  maxBodyBytes?: number
  /** Called once for all paths of the operation. @returns undefined if this service does not have the endpoint. */
  createHandler(context: ApiContext): Handler | undefined
}

/** A path of the service that is a WebSocket. OpenAPI cannot describe it; docs/protocol.md does. */
export interface SocketEndpoint {
  path: string
  /** Called for each handshake. */
  createServer(context: ApiContext, handshake: Context): ServeSocket
}

export function addSocketEndpoint(app: Hono, endpoint: SocketEndpoint, context: ApiContext): void {
  const { path, createServer } = endpoint
  const openSockets = context.metrics?.sockets.open
  app.get(path, (handshake) => {
    const serve = createServer(context, handshake)
    return acceptSocket(handshake, openSockets ? counted(serve, openSockets, path) : serve)
  })
}

function counted(serve: ServeSocket, openSockets: Tally, path: string): ServeSocket {
  return async (socket) => {
    add(openSockets, path)
    try {
      await serve(socket)
    } finally {
      add(openSockets, path, -1)
    }
  }
}

export function addEndpoint(
  app: Hono,
  endpoint: Endpoint,
  context: ApiContext,
  budget: BodyBudget,
): void {
  const { operation, maxBodyBytes } = endpoint
  const handler = endpoint.createHandler(context)
  if (!handler) return
  const handlers =
    maxBodyBytes === undefined ? [handler] : [limitBody(maxBodyBytes, budget), handler]
  app.on(operation.method.toUpperCase(), pathsOf(operation).map(toRoute), ...handlers)
}

/** `/voices/{voiceId}:publish` as a route of Hono: `/voices/:voiceId{.+:publish}`. */
function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}(:\w+)?/g, (_, name: string, verb?: string) =>
    verb ? `:${name}{.+${verb}}` : `:${name}`,
  )
}
