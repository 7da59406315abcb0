import type { Call } from '../http/call.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { Sink, Source, StreamControl } from '../streams/sink.ts'
import type { EndpointContext } from './context.ts'

/**
 * Turns the bytes of one response into items. Called for every attempt. An error that the reader throws or reports
 * closes the response.
 */
export type ResponseReader<Item> = (response: HttpResponse, items: Sink<Item>) => Sink<Buffer>

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
    let body: StreamControl | undefined
    let hasDelivered = false
    let isPaused = false
    let isOver = false

    const next = (item: Item) => {
      if (isOver) return
      hasDelivered = true
      sink.next(item)
    }

    const receive = (response: HttpResponse) =>
      new Promise<void>((resolve, reject) => {
        const fail = (error: unknown) => {
          body?.close()
          response.close(error)
          reject(error)
        }
        body = response.pushTo(read(response, { next, end: resolve, error: fail }))
        if (isPaused) body.pause()
        if (isOver) body.close()
      })

    const finish = (report: () => void) => {
      if (isOver) return
      isOver = true
      report()
    }

    transport
      .send(request, { ...call, signal: closing.signal }, receive, () => !hasDelivered && !isOver)
      .then(
        () => finish(sink.end),
        (error) => finish(() => sink.error(error)),
      )

    return {
      pause() {
        isPaused = true
        body?.pause()
      },
      resume() {
        isPaused = false
        body?.resume()
      },
      close: () =>
        finish(() => {
          closing.abort()
          body?.close()
        }),
    }
  }
}
