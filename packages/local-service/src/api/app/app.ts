import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { getPath } from 'hono/utils/url'
import { type ChatUpstreamOptions, createChatUpstream } from '../../chat/upstream/chat-upstream.ts'
import { MethodError, ServiceError } from '../../errors/service-error.ts'
import { isServiceFault, toServiceError } from '../../errors/to-service-error.ts'
import { createBodyBudget } from '../../requests/limit-body.ts'
import { parseStrictly } from '../../requests/parse-request.ts'
import { authorize, rejectWebPages, rejectWhileStopping } from '../../server/admission/admission.ts'
import { createTrustedProxies, trustProxies } from '../../server/admission/trusted-proxies.ts'
import type { FinishedRequest } from '../../server/observability/finished-request.ts'
import { observe } from '../../server/observability/observe.ts'
import { closeOldConnections } from '../../server/responses/stream-response.ts'
import { createFirstToHear } from '../../wake-words/first-to-hear.ts'
import { type AppContext, addEndpoint, addSocketEndpoint } from './endpoint.ts'
import { endpoints, socketEndpoints } from './endpoints.ts'

/** What the app serves, and to whom. */
export interface AppOptions extends AppContext {
  /** The key that every request must carry. Default: the app accepts any key or none, but no web pages. */
  apiKey?: string
  /** The server with language models. Default: none, and only the built-in echo responds to chats. */
  chatUpstream?: ChatUpstreamOptions
  /** Origins of web pages that may use the service; `*` for all. Default: none. */
  allowOrigins?: readonly string[]
  /** Proxies that state the addresses of their callers. Default: none. */
  trustProxy?: readonly string[]
  /** Whether the service rejects fields that it otherwise ignores. Default: no. */
  strict?: boolean
  /** Whether the service rejects requests, because it stops. Default: no. */
  isStopping?(): boolean
  /** Called after each request. */
  onRequestEnd?(finished: FinishedRequest): void
}

/** The service without a socket: `app.fetch` takes a `Request` and returns a `Response`. */
export function createApp(options: AppOptions): Hono {
  const { apiKey, allowOrigins = [], metrics, isStopping = () => false } = options
  // Some clients encode the colon of a path such as voice:stream.
  const app = new Hono({ getPath: (request) => getPath(request).replace(/%3a/gi, ':') })
  app.use(
    ...observe((finished) => {
      metrics?.count(finished)
      options.onRequestEnd?.(finished)
    }),
  )
  const { trustProxy = [] } = options
  if (trustProxy.length > 0) app.use(trustProxies(createTrustedProxies(trustProxy)))
  app.use(closeOldConnections)
  app.use(wrapNonErrors)
  app.use(rejectWhileStopping(isStopping))
  if (options.strict) app.use(parseStrictly)
  if (!apiKey) app.use(rejectWebPages(allowOrigins))
  // CORS before authorization: preflight requests carry no key.
  if (allowOrigins.length > 0) {
    app.use(cors({ origin: toCorsOrigin(allowOrigins), exposeHeaders: ['location'] }))
  }
  if (apiKey) app.use(authorize(apiKey))
  const chatUpstream = options.chatUpstream && createChatUpstream(options.chatUpstream)
  const budget = createBodyBudget()
  const api = { ...options, chatUpstream, isFirstToHear: createFirstToHear() }
  for (const endpoint of endpoints) addEndpoint(app, endpoint, api, budget)
  for (const endpoint of socketEndpoints) addSocketEndpoint(app, endpoint, api)
  noteAllowedMethods(app)
  app.notFound((context) => {
    const { method, path } = context.req
    const allowed = allowedMethods(context)
    if (allowed.length > 0) return toResponse(path, new MethodError(method, path, allowed))
    const message = `Unknown path: ${method} ${path}. GET /openapi.yaml describes every endpoint`
    return toResponse(path, new ServiceError('NOT_FOUND', message))
  })
  app.onError((error, context) => {
    const { path, raw } = context.req
    // Cancelled work is not a failure, and nobody reads this response.
    if (raw.signal.aborted) {
      return toResponse(path, new ServiceError('CANCELLED', 'The caller disconnected'))
    }
    if (isServiceFault(error)) options.onFailure(error)
    return toResponse(path, toServiceError(error))
  })
  return app
}

/** On a disconnect, the server rejects with a string; Hono's `onError` handles only instances of Error. */
const wrapNonErrors: MiddlewareHandler = async (_context, next) => {
  try {
    await next()
  } catch (reason) {
    throw reason instanceof Error ? reason : new Error('The thrown value is not an Error')
  }
}

function toCorsOrigin(allowOrigins: readonly string[]): string | string[] {
  return allowOrigins.includes('*') ? '*' : [...allowOrigins]
}

function toResponse(path: string, error: ServiceError): Response {
  const isOpenAi = path.startsWith('/v1/')
  const body = isOpenAi ? error.openAiBody : error.body
  const status = isOpenAi ? error.openAiStatus : error.httpStatus
  return Response.json(body, { status, headers: error.headers })
}

// The name of a value in the context of a request.
const allowedKey = 'allowedMethods'

/** Notes for each request which methods its path has. Call it when the app has all its paths. */
function noteAllowedMethods(app: Hono): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    // Middleware is for all methods.
    if (method === 'ALL') continue
    const methods = methodsOf.get(path) ?? new Set()
    methodsOf.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  // The metrics show the last pattern that matches, so the most specific one comes last.
  const routes = [...methodsOf].sort(([first], [second]) => first.length - second.length)
  for (const [route, methods] of routes) {
    app.all(route, async (context: Context, next) => {
      context.set(allowedKey, [...allowedMethods(context), ...methods])
      await next()
    })
  }
}

/** The methods of a path that has no handler for the method of the request; empty if there is no such path. */
function allowedMethods(context: Context): readonly string[] {
  return context.get(allowedKey) ?? []
}
