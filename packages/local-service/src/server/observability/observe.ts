import { type SpeechWarning, speechWarningsHeader, statusCodes } from '@parlando/core/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { ResponseDuringRequest } from '../responses/response-during-request.ts'
import type { FinishedRequest, SpeechFacts, TranscriptionFacts } from './finished-request.ts'
import { type RequestTrace, startRequestTrace } from './request-trace.ts'

// Names of values in the context of a request.
const startedAtKey = 'startedAt'
const traceKey = 'trace'
const speechKey = 'speech'
const transcriptionKey = 'transcription'
const ignoredKey = 'ignored'
const warningsKey = 'warnings'
const disconnectedStatus = statusCodes.CANCELLED.httpStatus

// A request may contain thousands of unknown names, of any length.
const maxIgnored = 16
const maxNameCharacters = 40

/**
 * Gives every request an id, the caller's own if it sent one, and reports the request when it is finished. The response
 * names the fields that the service ignored, and has the warnings about the text.
 */
export function observe(onRequestEnd: (finished: FinishedRequest) => void): MiddlewareHandler[] {
  return [
    requestId(),
    async (context, next) => {
      context.set(startedAtKey, performance.now())
      const trace = await startRequestTrace(context.req.raw)
      context.set(traceKey, trace)
      await (trace ? trace.run(next) : next())
      const id: string = context.get('requestId')
      context.res.headers.set('x-request-id', id)
      const ignored: readonly string[] | undefined = context.get(ignoredKey)
      if (ignored) context.res.headers.set('x-parlando-ignored', ignored.join(', '))
      const warnings: readonly SpeechWarning[] = context.get(warningsKey) ?? []
      if (warnings.length > 0) {
        context.res.headers.set(speechWarningsHeader, toAscii(JSON.stringify(warnings)))
      }
      whenFinished(context, () => {
        const finished: FinishedRequest = {
          requestId: id,
          method: context.req.method,
          route: routeOf(context),
          status: isDisconnected(context) ? disconnectedStatus : context.res.status,
          durationMs: Math.round(elapsedMs(context)),
          speech: context.get(speechKey),
          transcription: context.get(transcriptionKey),
          ignored,
        }
        trace?.end(finished)
        onRequestEnd(finished)
      })
    },
  ]
}

/** Milliseconds since the request arrived. */
export function elapsedMs(context: Context): number {
  return performance.now() - context.get(startedAtKey)
}

/** The span of the request; undefined where the process records no traces. */
export function traceOf(context: Context): RequestTrace | undefined {
  return context.get(traceKey)
}

/** Adds facts about speech to the report of the request. They are read when the request is finished. */
export function reportSpeech(context: Context, facts: SpeechFacts): void {
  context.set(speechKey, facts)
}

/** Adds facts about a transcription to the report of the request. They are read when the request is finished. */
export function reportTranscription(context: Context, facts: TranscriptionFacts): void {
  context.set(transcriptionKey, facts)
}

/** Adds the fields that the service ignored to the report of the request and to the headers of its response. */
export function reportIgnored(context: Context, paths: readonly PropertyKey[][]): void {
  const former: readonly string[] = context.get(ignoredKey) ?? []
  const names = [...former, ...paths.slice(0, maxIgnored).map(nameOfField)]
  if (names.length > 0) context.set(ignoredKey, names.slice(0, maxIgnored))
}

/** Adds warnings to the headers of the response. Those that are added to the list before the first audio count too. */
export function reportWarnings(context: Context, warnings: readonly SpeechWarning[]): void {
  context.set(warningsKey, warnings)
}

/** A header can only contain ASCII, and JSON can escape all other characters. */
function toAscii(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A header and a log may contain the name only if it looks like one, because the caller chose it. */
function nameOfField(path: readonly PropertyKey[]): string {
  const isName = (key: string) => /^\w+$/.test(key) && key.length <= maxNameCharacters
  return path.map((key) => (isName(String(key)) ? String(key) : '?')).join('.')
}

/** The pattern instead of the path, so that the metrics have a fixed number of routes; `none` for an unknown path. */
function routeOf(context: Context): string {
  const path = routePath(context, -1)
  return path.includes('*') ? 'none' : path.replace('{.+:', ':').replace('}', '')
}

/** When the service itself aborted the response, the connection has an error. */
function isDisconnected({ env }: Context): boolean {
  const outgoing: ResponseDuringRequest | undefined = env?.outgoing
  if (!outgoing || outgoing.writableFinished || outgoing.isSent) return false
  return !outgoing.errored
}

/** A streamed response ends when its connection closes; without a server there is nothing to wait for. */
function whenFinished(context: Context, notify: () => void): void {
  const outgoing: ResponseDuringRequest | undefined = context.env?.outgoing
  if (!outgoing || outgoing.closed) notify()
  else outgoing.once('close', notify)
}
