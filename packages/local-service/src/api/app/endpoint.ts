import type { Context, Handler, Hono } from 'hono'
import { z } from 'zod'
import type { ChatUpstream } from '../../chat/upstream/chat-upstream.ts'
import type { Calls } from '../../conversation/calls/running-calls.ts'
import type { ConversationContext } from '../../conversation/session-services.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { addToTally, type Tally } from '../../metrics/socket-metrics.ts'
import type { ModelManager } from '../../model-management/model-manager.ts'
import { type BodyBudget, limitBody } from '../../requests/limit-body.ts'
import type { ServeSocket } from '../../server/sockets/client-socket.ts'
import { acceptSocket } from '../../server/sockets/sockets.ts'
import type { SharedSound } from '../../speaking/shared-sound.ts'
import type { IsFirstToHear } from '../../wake-words/first-to-hear.ts'
import type { RunningWakeWordDetectors } from '../../wake-words/wake-word-registry.ts'

/** The parts of the running service that the app needs. */
export interface AppContext extends Omit<ConversationContext, 'chatUpstream'> {
  /** Opens what lists, installs and removes models. Default: the service installs and removes none. */
  openModelManager?(): Promise<ModelManager>
  /** Keeps the sound of requests. Default: it is made for each. */
  sharedSound?: SharedSound | undefined
  /** Default: the service finds no wake words. */
  wakeWords?: RunningWakeWordDetectors
  /** Default: the service speaks no long texts as jobs. */
  jobs?: Jobs | undefined
  /** Default: the service has no calls over WebRTC. */
  calls?: Calls
  /** Whether the service is about to stop, so that `/healthz` sends callers elsewhere. Default: no. */
  isLeaving?(): boolean
}

/** The parts of the service that an endpoint can use. */
export interface ApiContext extends AppContext {
  chatUpstream?: ChatUpstream
  isFirstToHear: IsFirstToHear
}

/** An endpoint of the service: its OpenAPI description and its handler. */
export interface Endpoint {
  operation: Operation
  /** Maximum size of a request body in bytes. Default: the endpoint reads no body. */
  maxBodyBytes?: number
  /** Called once for all paths of the operation. @returns undefined if this service does not have the endpoint. */
  createHandler(context: ApiContext): Handler | undefined
}

/** A path of the service that is a WebSocket. OpenAPI cannot describe it; docs/protocol does. */
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
    addToTally(openSockets, path)
    try {
      await serve(socket)
    } finally {
      addToTally(openSockets, path, -1)
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

/** A schema and its name in the OpenAPI description. */
export interface NamedSchema {
  name: string
  schema: z.ZodType
}

/** An operation of the service, as OpenAPI describes it. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** The path, with parameters in braces: `/voices/v1/voices/{voiceId}`. */
  path: string
  summary: string
  /** How the operation accepts a key, if the service has one. */
  key: 'none' | 'basic' | 'basic or bearer'
  /** The query parameters, as one object. */
  query?: NamedSchema
  /** Headers that a request may have, by name, with what OpenAPI says of each. */
  headers?: Readonly<Record<string, object>>
  body?: NamedSchema
  /** The fields of a body that is a form (`multipart/form-data`). */
  form?: NamedSchema
  /** A valid body, for the OpenAPI description; the fuzz tests vary it. */
  bodyExample?: object
  /** What a successful response contains, by media type. */
  responses: Readonly<Record<string, NamedSchema | 'bytes' | 'text'>>
  /** The status of a successful response. Default 200. */
  status?: number
  /** Further schemas to describe, such as that of the events in a stream. */
  related?: readonly NamedSchema[]
}

export function named(name: string, schema: z.ZodType): NamedSchema {
  return { name, schema }
}

const voicesPath = '/voices/v1/voices'

/** Every path of an operation. Voice operations may name a workspace; every name means the same one. */
export function pathsOf({ path }: Operation): string[] {
  if (!path.startsWith(voicesPath)) return [path]
  return [path, path.replace(voicesPath, '/voices/v1/workspaces/{workspace}/voices')]
}

/** The body of an error. */
export const problem = named(
  'Problem',
  z.object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) }),
)

/** The body of an error below `/v1/`. */
export const openAiProblem = named(
  'OpenAiProblem',
  z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.null(),
      code: z.string().nullable(),
    }),
  }),
)
