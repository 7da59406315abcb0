import type { Call, ResolvedOptions } from '../http/client-options.ts'
import type { HttpResponse } from '../http/response.ts'
import type { HttpRequest, Transport } from '../http/transport.ts'
import type { SpareBuffer } from '../streams/line-reader.ts'
import type { Source } from '../streams/sink.ts'
import type { Pronunciations } from '../text/pronunciations.ts'

/** The dependencies of every endpoint. An endpoint is a function of `(context, request, call)`. */
export interface EndpointContext {
  transport: Transport
  options: ResolvedOptions
  /** Those of the options. */
  pronunciations: Pronunciations
  /** Shared by the speech streams of the client. */
  spare: SpareBuffer
}

/** Reads one response and delivers its items. Called for every attempt. */
export type ResponseReader<Item> = (
  response: HttpResponse,
  deliver: (item: Item) => void,
) => Promise<void>

/**
 * Sends the request and pushes the items of the response. A failed request is retried until an item has been delivered.
 * @param call its `signal` is ignored: `createStream` closes the source when the signal is aborted.
 */
export function responseSource<Item>(
  { transport }: EndpointContext,
  request: HttpRequest,
  call: Call,
  read: ResponseReader<Item>,
): Source<Item> {
  return (sink) => {
    const closing = new AbortController()
    let response: HttpResponse | undefined
    let hasDelivered = false
    let isPaused = false
    let isOver = false

    const deliver = (item: Item) => {
      if (isOver) return
      hasDelivered = true
      sink.next(item)
    }
    const receive = (opened: HttpResponse) => {
      response = opened
      const reading = read(opened, deliver)
      if (isPaused) opened.pause()
      return reading
    }
    const finish = (report: () => void) => {
      if (isOver) return
      isOver = true
      report()
    }
    const mayRetry = () => !hasDelivered && !isOver
    transport.send(request, { ...call, signal: closing.signal }, receive, mayRetry).then(
      () => finish(sink.end),
      (error) => finish(() => sink.error(error)),
    )
    return {
      pause() {
        isPaused = true
        response?.pause()
      },
      resume() {
        isPaused = false
        response?.resume()
      },
      close: () =>
        finish(() => {
          closing.abort()
          response?.close(closing.signal.reason)
        }),
    }
  }
}
