import { Hono } from 'hono'
import { BusyRefusal, Refusal, toRefusal } from './refusal.ts'
import { authorize } from './routes/authorize.ts'
import { addSpeechRoutes, type SpeechRouteOptions } from './routes/speech.ts'
import { addVoiceRoutes } from './routes/voices.ts'

export interface AppOptions extends SpeechRouteOptions {
  /** The key every request must carry. Default: any key or none is good. */
  apiKey?: string
}

/** The service without a socket: hand it a `Request`, get a `Response`. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono()
  if (options.apiKey) app.use(authorize(options.apiKey))
  addSpeechRoutes(app, options)
  addVoiceRoutes(app, options)
  app.notFound((context) => {
    const { method, path } = context.req
    return answer(path, new Refusal('NOT_FOUND', `There is nothing at ${method} ${path}`))
  })
  app.onError((error, context) => {
    if (!(error instanceof Refusal)) options.onFailure(error)
    return answer(context.req.path, toRefusal(error))
  })
  return app
}

function answer(path: string, refusal: Refusal): Response {
  const body = path.startsWith('/v1/') ? refusal.openAiBody : refusal.body
  const headers = new Headers()
  if (refusal instanceof BusyRefusal) headers.set('retry-after', `${refusal.retryAfterSeconds}`)
  return Response.json(body, { status: refusal.httpStatus, headers })
}
