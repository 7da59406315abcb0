import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'

export interface StreamedResponse {
  contentType: string
  /** @param signal aborted when the caller disconnects; the work must end then. */
  createChunks(signal: AbortSignal): AsyncGenerator<Uint8Array, void>
  /**
   * Returns the last chunk after a failure that follows the first chunk. For undefined, the connection is aborted, so
   * that the client does not take a partial response for a complete one.
   */
  createErrorChunk(error: unknown): Uint8Array | undefined
}

/** Streams chunks as fast as the caller reads them. @throws any failure before the first chunk. */
export async function streamResponse(
  context: Context,
  response: StreamedResponse,
): Promise<Response> {
  const disconnected = new AbortController()
  // Until the first chunk exists, only this event reports that the caller disconnected while the work was queued.
  const { signal } = context.req.raw
  signal.throwIfAborted()
  signal.addEventListener('abort', () => disconnected.abort(), { once: true })
  const chunks = response.createChunks(disconnected.signal)
  // Wait for the first chunk: a failure before it still gets its own status.
  const first = await chunks.next()
  const abortResponse = createAbortResponse(context)
  const body = toBody(first, { ...response, chunks, disconnected, abortResponse })
  // Without this header, the server holds the first chunk back until it knows whether a second one follows.
  const headers = { 'content-type': response.contentType, 'transfer-encoding': 'chunked' }
  return new Response(body, { headers })
}

interface RunningResponse extends Pick<StreamedResponse, 'createErrorChunk'> {
  chunks: AsyncGenerator<Uint8Array, void>
  disconnected: AbortController
  abortResponse: AbortResponse
}

function toBody(
  first: IteratorResult<Uint8Array, void>,
  { chunks, disconnected, createErrorChunk, abortResponse }: RunningResponse,
): ReadableStream<Uint8Array> {
  let current: IteratorResult<Uint8Array, void> | undefined = first

  const fail = (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (disconnected.signal.aborted) return controller.close()
    const last = createErrorChunk(error)
    if (!last) return abortResponse(controller, error as Error)
    controller.enqueue(last)
    controller.close()
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // Yield to the event loop, which sends the chunk; without that, the first would wait for the whole phrase.
          if (!current) await setImmediate()
          const { done, value } = current ?? (await chunks.next())
          current = undefined
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          fail(error, controller)
        }
      },
      async cancel() {
        disconnected.abort()
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Ends a response early because of an error. */
export type AbortResponse = (
  body: ReadableStreamDefaultController<Uint8Array>,
  error: Error,
) => void

/**
 * Closes the connection, so that the client does not take a partial response for a complete one. An error in the body
 * would do that too, but the server would write it to the console, including any text that it contains.
 */
export function createAbortResponse({ env }: Context): AbortResponse {
  const outgoing: ServerResponse | undefined = env?.outgoing
  return (body, error) => {
    if (!outgoing) return body.error(error)
    outgoing.destroy(new Error('The service aborted the response'))
    body.close()
  }
}

/**
 * HTTP/1.0 has no chunked encoding, so a client would read the chunk lengths as part of the body. There, the end of the
 * connection marks the end of the body.
 */
export const closeOldConnections: MiddlewareHandler = async (context, next) => {
  await next()
  const incoming: IncomingMessage | undefined = context.env?.incoming
  if (incoming?.httpVersion === '1.0') context.res.headers.delete('transfer-encoding')
}
