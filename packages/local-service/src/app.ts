import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal, toRefusal } from './refusal.ts'
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
    return answer(new Refusal('NOT_FOUND', `There is nothing at ${method} ${path}`))
  })
  app.onError((error) => {
    if (!(error instanceof Refusal)) options.onFailure(error)
    return answer(toRefusal(error))
  })
  return app
}

function answer(refusal: Refusal): Response {
  return Response.json(refusal.body, { status: refusal.httpStatus as ContentfulStatusCode })
}
