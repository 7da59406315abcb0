import type { Duplex } from 'node:stream'
import { type Dispatcher, WebSocket } from 'undici'
import { TimeoutError } from '../errors.ts'
import { badResponse } from '../protocol-errors.ts'
import { networkError, type RequestFacts, responseError } from './response-errors.ts'

/** A response that opens no WebSocket. */
interface Rejection {
  status: number
  /** Has room for the start of the body. */
  body: Buffer
  bodyBytes: number
  retryAfter: string | undefined
}

/** What undici's WebSocket hides: the connection under it, and why the handshake failed. */
interface Observation {
  /** `undefined` on Bun, whose WebSocket uses no dispatcher. */
  connection?: Duplex
  rejection?: Rejection
  failure?: Error
}

/** Where to shake hands. */
interface HandshakeRequest {
  /** Appended to the base address. */
  path: string
  dispatcher: Dispatcher
  /** Headers with which the service continues a trace. */
  tracing: Readonly<Record<string, string>>
}

const maxBodyBytes = 64 * 1024

/**
 * Opens a WebSocket. Its largest message is `maxLineBytes` long. An abort of `timeLimit` ends the handshake.
 * @param onOpen called at once, so that it misses no message. Its result is the result of the handshake.
 */
export function openWebSocket<Result>(
  facts: RequestFacts,
  { path, dispatcher, tracing }: HandshakeRequest,
  onOpen: (webSocket: WebSocket, connection: Duplex | undefined) => Result,
): Promise<Result> {
  const { baseUrl, call, requestId, options, timeLimit: signal } = facts
  const observed: Observation = {}
  const webSocket = new WebSocket((baseUrl + path).replace(/^http/i, 'ws'), {
    dispatcher: observing(dispatcher, options.maxLineBytes, observed),
    headers: {
      ...tracing,
      ...call.headers,
      'accept-encoding': 'identity',
      'x-request-id': requestId,
      ...(options.apiKey && { authorization: `Basic ${options.apiKey}` }),
    },
  })
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      webSocket.removeEventListener('open', open)
      webSocket.removeEventListener('close', fail)
      settle()
    }
    const open = () => finish(() => resolve(onOpen(webSocket, observed.connection)))
    const fail = () => finish(() => reject(handshakeError(facts, observed)))
    const abort = () =>
      finish(() => {
        webSocket.close()
        observed.connection?.destroy()
        // The status of a response says more than the wait for the rest of its body.
        const hasStatus = observed.rejection && TimeoutError.isInstance(signal.reason)
        reject(hasStatus ? handshakeError(facts, observed) : signal.reason)
      })
    webSocket.addEventListener('open', open)
    webSocket.addEventListener('close', fail)
    // The close event follows. Without a listener, an error event could end the process in other runtimes.
    webSocket.addEventListener('error', () => {})
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

/** A dispatcher for one WebSocket that records its handshake. */
function observing(
  dispatcher: Dispatcher,
  maxPayloadSize: number,
  observed: Observation,
): Dispatcher {
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const fail = (controller: Dispatcher.DispatchController, error: Error) => {
      observed.failure = error
      if (handler.onResponseError) handler.onResponseError(controller, error)
      else handler.onError?.(error)
    }
    return dispatcher.dispatch(
      { ...options, headers: withoutCompression(options.headers), headersTimeout: 0 },
      {
        // The handlers of undici have the methods of its older interface, of the newer one, or of both.
        onRequestStart(controller, context) {
          if (handler.onRequestStart) handler.onRequestStart(controller, context)
          else handler.onConnect?.((reason) => controller.abort(reason ?? new Error('aborted')))
        },
        onRequestUpgrade(controller, status, headers, socket) {
          observed.connection = socket
          handler.onRequestUpgrade?.(controller, status, headers, socket)
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          const retryAfter = String(headers['retry-after'] ?? '')
          observed.rejection = {
            status,
            body: Buffer.alloc(maxBodyBytes),
            bodyBytes: 0,
            retryAfter,
          }
        },
        onResponseData(controller, chunk) {
          const { rejection } = observed
          if (!rejection) return
          const start = chunk.subarray(0, maxBodyBytes - rejection.bodyBytes)
          rejection.body.set(start, rejection.bodyBytes)
          rejection.bodyBytes += start.length
          if (start.length < chunk.length) controller.abort(new Error('too long'))
        },
        onResponseEnd(controller) {
          fail(controller, new Error('the response opens no WebSocket'))
        },
        onResponseError: fail,
      },
    )
  }
  return { dispatch, webSocketOptions: { maxPayloadSize } } as unknown as Dispatcher
}

/** undici always offers to compress. For messages with base64, this would cost several times the rest of the work. */
function withoutCompression(headers: unknown): Record<string, string> {
  const { 'sec-websocket-extensions': _, ...others } = headers as Record<string, string>
  return others
}

function handshakeError(facts: RequestFacts, { rejection, failure, connection }: Observation) {
  if (rejection && rejection.status >= 400) {
    const body = rejection.body.toString('utf8', 0, rejection.bodyBytes)
    return responseError(facts, { ...rejection, body })
  }
  if (!rejection && !connection) return networkError(facts, failure, 'before the response')
  const status = rejection ? ` (status ${rejection.status})` : ''
  const problem = `the service does not open a WebSocket at this address${status}`
  return badResponse(facts, problem)
}
