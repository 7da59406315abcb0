import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { BusyError, isServiceFault, ServiceError, toServiceError } from '../errors.ts'
import { authorize } from '../http/authorize.ts'
import { closeOldConnections } from '../http/close-old-connections.ts'
import { type FinishedRequest, observe } from '../http/observe.ts'
import { rejectWebPages } from '../http/reject-web-pages.ts'
import { rejectWhileStopping } from '../http/reject-while-stopping.ts'
import { addAudioSpeechRoute } from './audio-speech/route.ts'
import { type ChatUpstreamOptions, createChatUpstream } from './chat/chat-upstream.ts'
import { addChatRoutes } from './chat/route.ts'
import { addHealthRoute, type HealthRouteOptions } from './health/route.ts'
import type { Metrics } from './metrics/metrics.ts'
import { addMetricsRoute } from './metrics/route.ts'
import { addModelRoutes } from './models/route.ts'
import { addOpenapiRoute } from './openapi/route.ts'
import { addSpeechRoutes, type SpeechRouteOptions } from './speech/route.ts'
import { addVoiceRoutes } from './voices/routes.ts'

/** What the service answers with, and whom it lets in. */
export interface AppOptions extends SpeechRouteOptions, HealthRouteOptions {
  /** The key every request must carry. Default: any key or none is good, and web pages are kept away. */
  apiKey?: string
  /** The server that has language models. Default: none, and only the built-in echo answers chats. */
  chatUpstream?: ChatUpstreamOptions
  /** Web pages that may use the service; `*` for all. Default: none. */
  allowOrigins?: readonly string[]
  /** Counts the requests, and is shown at `/metrics`. Default: there is no such path. */
  metrics?: Metrics
  /** Hears of every request that is over. */
  onRequestEnd?(finished: FinishedRequest): void
}

/** The service without a socket: hand it a `Request`, get a `Response`. */
export function createApp(options: AppOptions): Hono {
  const { apiKey, allowOrigins = [], metrics, isStopping = () => false } = options
  const app = new Hono()
  app.use(
    ...observe((finished) => {
      metrics?.count(finished)
      options.onRequestEnd?.(finished)
    }),
  )
  app.use(closeOldConnections)
  app.use(throwErrorsAlone)
  app.use(rejectWhileStopping(isStopping))
  if (!apiKey) app.use(rejectWebPages(allowOrigins))
  // Before the key is asked for: a browser's question whether it may ask carries none.
  if (allowOrigins.length > 0) app.use(cors({ origin: toCorsOrigin(allowOrigins) }))
  if (apiKey) app.use(authorize(apiKey))
  addHealthRoute(app, options)
  addMetricsRoute(app, options)
  addOpenapiRoute(app)
  addSpeechRoutes(app, options)
  addAudioSpeechRoute(app, options)
  addVoiceRoutes(app, options)
  const chatUpstream = options.chatUpstream && createChatUpstream(options.chatUpstream)
  addChatRoutes(app, chatUpstream)
  addModelRoutes(app, chatUpstream)
  app.notFound((context) => {
    const { method, path } = context.req
    return answer(path, new ServiceError('NOT_FOUND', `There is nothing at ${method} ${path}`))
  })
  app.onError((error, context) => {
    const { path, raw } = context.req
    // Work that was given up because the caller left is no failure, and nobody reads this answer.
    if (raw.signal.aborted) return answer(path, new ServiceError('CANCELLED', 'The caller left'))
    if (isServiceFault(error)) options.onFailure(error)
    return answer(path, toServiceError(error))
  })
  return app
}

/** Where the caller left, the server aborts with a text, which Hono would let pass by all that handles errors. */
const throwErrorsAlone: MiddlewareHandler = async (_context, next) => {
  try {
    await next()
  } catch (reason) {
    throw reason instanceof Error ? reason : new Error('What was thrown is no error')
  }
}

function toCorsOrigin(allowOrigins: readonly string[]): string | string[] {
  return allowOrigins.includes('*') ? '*' : [...allowOrigins]
}

function answer(path: string, error: ServiceError): Response {
  const body = path.startsWith('/v1/') ? error.openAiBody : error.body
  const headers = new Headers()
  if (error instanceof BusyError) headers.set('retry-after', `${error.retryAfterSeconds}`)
  return Response.json(body, { status: error.httpStatus, headers })
}
