import { Hono } from 'hono'
import { type ChatUpstreamOptions, createChatUpstream } from './chat/chat-upstream.ts'
import { BusyRefusal, Refusal, toRefusal } from './refusal.ts'
import { addAudioSpeechRoute } from './routes/audio-speech.ts'
import { authorize } from './routes/authorize.ts'
import { addChatRoutes } from './routes/chat.ts'
import { addModelRoutes } from './routes/models.ts'
import { addSpeechRoutes, type SpeechRouteOptions } from './routes/speech.ts'
import { addVoiceRoutes } from './routes/voices.ts'

export interface AppOptions extends SpeechRouteOptions {
  /** The key every request must carry. Default: any key or none is good. */
  apiKey?: string
  /** The server that has language models. Default: none, and only the built-in echo answers chats. */
  chatUpstream?: ChatUpstreamOptions
}

/** The service without a socket: hand it a `Request`, get a `Response`. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono()
  if (options.apiKey) app.use(authorize(options.apiKey))
  addSpeechRoutes(app, options)
  addAudioSpeechRoute(app, options)
  addVoiceRoutes(app, options)
  const chatUpstream = options.chatUpstream && createChatUpstream(options.chatUpstream)
  addChatRoutes(app, chatUpstream)
  addModelRoutes(app, chatUpstream)
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
