import { statusCodes } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { EarlyResponse } from './early-response.ts'

/** Facts about a finished request for the log and the metrics. They contain no text and no key. */
export interface FinishedRequest {
  requestId: string
  method: string
  /** The pattern of the route: `/voices/v1/voices/:voiceId`. */
  route: string
  /** 499 when the caller disconnected before the end, even if the response had started with another status. */
  status: number
  /** Until the last byte was sent or the caller disconnected. */
  durationMs: number
  speech?: SpeechFacts
}

/** How much speech a request has produced so far. */
export interface SpeechFacts {
  modelId: string
  /** UTF-16 code units. */
  characters: number
  audioSeconds: number
  /** From the arrival of the request to the first encoded audio. */
  firstAudioMs?: number
}

// Names of values in the context of a request.
const startedAtKey = 'startedAt'
const speechKey = 'speech'
const disconnectedStatus = statusCodes.CANCELLED.httpStatus

/** Gives every request an id, the caller's own if it sent one, and reports the request when it is finished. */
export function observe(onRequestEnd: (finished: FinishedRequest) => void): MiddlewareHandler[] {
  return [
    requestId(),
    async (context, next) => {
      context.set(startedAtKey, performance.now())
      await next()
      const id: string = context.get('requestId')
      context.res.headers.set('x-request-id', id)
      whenFinished(context, () =>
        onRequestEnd({
          requestId: id,
          method: context.req.method,
          route: routeOf(context),
          status: isDisconnected(context) ? disconnectedStatus : context.res.status,
          durationMs: Math.round(elapsedMs(context)),
          speech: context.get(speechKey),
        }),
      )
    },
  ]
}

/** Milliseconds since the request arrived. */
export function elapsedMs(context: Context): number {
  return performance.now() - context.get(startedAtKey)
}

/** Adds facts about speech to the report of the request. They are read when the request is finished. */
export function reportSpeech(context: Context, facts: SpeechFacts): void {
  context.set(speechKey, facts)
}

/** The pattern instead of the path, so that the metrics have a fixed number of routes; `none` for an unknown path. */
function routeOf(context: Context): string {
  const path = routePath(context, -1)
  return path.includes('*') ? 'none' : path
}

/** When the service itself aborted the response, the connection has an error. */
function isDisconnected({ env }: Context): boolean {
  const outgoing: EarlyResponse | undefined = env?.outgoing
  if (!outgoing || outgoing.writableFinished || outgoing.isSent) return false
  return !outgoing.errored
}

/** A streamed response ends when its connection closes; without a server there is nothing to wait for. */
function whenFinished(context: Context, notify: () => void): void {
  const outgoing: EarlyResponse | undefined = context.env?.outgoing
  if (!outgoing || outgoing.closed) notify()
  else outgoing.once('close', notify)
}
