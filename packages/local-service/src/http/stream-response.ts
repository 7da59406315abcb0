import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { type BreakOff, createBreakOff } from './abort-response.ts'

export interface StreamedResponse {
  contentType: string
  /** @param left aborted when the caller goes away, which must end the work. */
  makePieces(left: AbortSignal): AsyncGenerator<Uint8Array, void>
  /**
   * Says what is sent when the pieces fail after the first. Without it the connection breaks off, so that nobody takes a
   * part for the whole.
   */
  lastWords(error: unknown): Uint8Array | undefined
}

/** Answers piece by piece, as fast as the caller reads. @throws what fails before the first piece. */
export async function streamResponse(
  context: Context,
  answer: StreamedResponse,
): Promise<Response> {
  const left = new AbortController()
  // Until the first piece is there, nothing else would tell of a caller who goes away while it waits for its turn.
  context.req.raw.signal.addEventListener('abort', () => left.abort(), { once: true })
  const pieces = answer.makePieces(left.signal)
  // The first piece decides: what fails before it still gets a fitting status.
  const first = await pieces.next()
  const body = toBody(first, pieces, left, answer.lastWords, createBreakOff(context))
  // Chunked by name, because the server would otherwise hold the first piece back until it knows whether more will follow.
  const headers = { 'content-type': answer.contentType, 'transfer-encoding': 'chunked' }
  return new Response(body, { headers })
}

function toBody(
  first: IteratorResult<Uint8Array, void>,
  pieces: AsyncGenerator<Uint8Array, void>,
  left: AbortController,
  lastWords: StreamedResponse['lastWords'],
  breakOff: BreakOff,
): ReadableStream<Uint8Array> {
  let current: IteratorResult<Uint8Array, void> | undefined = first

  const fail = (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (left.signal.aborted) return controller.close()
    const last = lastWords(error)
    if (!last) return breakOff(controller, error as Error)
    controller.enqueue(last)
    controller.close()
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // A piece leaves only when the event loop gets a turn; without one, the first would wait for the whole phrase.
          if (!current) await setImmediate()
          const { done, value } = current ?? (await pieces.next())
          current = undefined
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          fail(error, controller)
        }
      },
      async cancel() {
        left.abort()
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}
