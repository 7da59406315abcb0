import type { ServerResponse } from 'node:http'
import { statusCodes } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { AudioChunk } from '../speech/encoded-stream.ts'

/** What became of a request: facts that may be written down, and nothing of what was said. */
export interface FinishedRequest {
  requestId: string
  method: string
  /** As the service names it: `/voices/v1/voices/:voiceId`. */
  route: string
  /** 499 where the caller left before the end, also when the answer had begun with another status. */
  status: number
  /** Until the last byte had left, or until the caller had. */
  durationMs: number
  speech?: Spoken
}

/** What a request's speech came to so far. */
export interface Spoken {
  modelId: string
  /** UTF-16 code units. */
  characters: number
  audioSeconds: number
  /** From the arrival of the request to the first piece of sound, encoded. */
  firstAudioMs?: number
}

/** Where a request's arrival and its speech are noted. */
const startedAtKey = 'startedAt'
const speechKey = 'speech'
const leftStatus = statusCodes.CANCELLED.httpStatus

/** Gives every request an id, the caller's own where it has one, and tells of it when it is over. */
export function observe(onRequestEnd: (finished: FinishedRequest) => void): MiddlewareHandler[] {
  return [
    requestId(),
    async (context, next) => {
      const startedAt = performance.now()
      context.set(startedAtKey, startedAt)
      await next()
      const id: string = context.get('requestId')
      context.res.headers.set('x-request-id', id)
      whenOver(context, () =>
        onRequestEnd({
          requestId: id,
          method: context.req.method,
          route: routeOf(context),
          status: hasLeft(context) ? leftStatus : context.res.status,
          durationMs: Math.round(performance.now() - startedAt),
          speech: context.get(speechKey),
        }),
      )
    },
  ]
}

/** Hands on the chunks of a request's speech and notes what they come to. */
export async function* noteSpeech(
  context: Context,
  { modelId, text }: { modelId: string; text: string },
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<AudioChunk, void> {
  const spoken: Spoken = { modelId, characters: text.length, audioSeconds: 0 }
  context.set(speechKey, spoken)
  for await (const chunk of chunks) {
    spoken.firstAudioMs ??= performance.now() - context.get(startedAtKey)
    spoken.audioSeconds += chunk.durationSeconds
    yield chunk
  }
}

/** The pattern, so that there are no more routes in the figures than the service has; `none` for all that is not there. */
function routeOf(context: Context): string {
  const path = routePath(context, -1)
  return path.includes('*') ? 'none' : path
}

/** Where the service itself broke off its answer, the connection has an error. */
function hasLeft({ env }: Context): boolean {
  const outgoing: ServerResponse | undefined = env?.outgoing
  return outgoing !== undefined && !outgoing.writableFinished && !outgoing.errored
}

/** A streamed answer is over when the connection says so; without a server there is nothing to wait for. */
function whenOver(context: Context, notify: () => void): void {
  const outgoing: ServerResponse | undefined = context.env?.outgoing
  if (!outgoing || outgoing.closed) notify()
  else outgoing.once('close', notify)
}
