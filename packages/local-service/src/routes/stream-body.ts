import { setImmediate } from 'node:timers/promises'

/**
 * A body that is read piece by piece.
 * @param pieces what follows the first.
 * @param left aborted when the reader goes away.
 * @param lastWords what is sent when the pieces fail. Without it the connection breaks off, so that nobody takes a part
 * for the whole.
 */
export function toStreamBody(
  first: IteratorResult<Uint8Array, void>,
  pieces: AsyncGenerator<Uint8Array, void>,
  left: AbortController,
  lastWords: (error: unknown) => Uint8Array | undefined,
): ReadableStream<Uint8Array> {
  let current: IteratorResult<Uint8Array, void> | undefined = first

  const fail = (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (left.signal.aborted) return controller.close()
    const last = lastWords(error)
    if (!last) return controller.error(error)
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
