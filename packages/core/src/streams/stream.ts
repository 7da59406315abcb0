import { InputError } from '../errors.ts'
import { BoundedQueue } from './bounded-queue.ts'
import type { Sink, Source, StreamControl } from './sink.ts'

/**
 * Items of one response while it arrives. The request is sent when the stream is first read, and the stream can be read
 * once: by `for await`, `consume`, `collect` or `toReadableStream`. A second attempt throws `InputError`.
 */
export interface Stream<Item, Result> extends AsyncIterable<Item>, AsyncDisposable {
  /** The `X-Request-Id` of the request; `undefined` until the response has begun. */
  readonly requestId: string | undefined
  /**
   * Leaving the loop early closes the connection, even while an item is awaited. Under back-pressure, up to 16 items and
   * those of one more network read wait for the loop.
   */
  [Symbol.asyncIterator](): AsyncIterator<Item, undefined>
  /**
   * Calls back with each item: the form with the least overhead. Resolves at the end of the stream. An error thrown by
   * `onItem` closes the connection and rejects.
   */
  consume(onItem: (item: Item) => void): Promise<void>
  /** Reads the whole stream. @throws {ProtocolError} `RESPONSE_TOO_LARGE` above the client's `maxResponseBytes`. */
  collect(): Promise<Result>
  /** A web stream of bytes, for example for `new Response()`. Cancelling it closes the connection. */
  toReadableStream(): ReadableStream<Uint8Array>
  /** Closes the connection. A loop that waits for an item ends. Afterwards the stream cannot be read any more. */
  close(): Promise<void>
}

export interface ItemStreamOptions {
  /** Used in errors, such as `speech`. */
  what: string
  /** Aborting it drops the waiting items and throws its reason, even after the response has arrived. */
  signal: AbortSignal | undefined
  /** How many items may wait for `for await` before the source is paused. Default 16. */
  maxWaitingItems?: number
}

export interface StreamOptions<Item> extends ItemStreamOptions {
  /** What an item contributes to the web stream; nothing if it is empty. */
  toBytes(item: Item): Uint8Array
}

/** The part of a stream that does not depend on the kind of its items. */
export type StreamReading<Item> = Omit<Stream<Item, unknown>, 'requestId' | 'collect'>

/** A stream whose items are not bytes. */
export type ItemStream<Item> = Omit<StreamReading<Item>, 'toReadableStream'>

/** Receives the items of a stream for one reader. */
interface Consumer<Item> extends Sink<Item> {
  /** Fails at once and drops the waiting items. */
  abort(reason: unknown): void
  /** Ends at once and drops the waiting items. */
  stop(): void
}

// Small, because the service decides how large an item is, and further items can wait in the service.
const defaultMaxWaitingItems = 16

/** Makes a source readable once, in any of the ways of `Stream`. */
export function createStream<Item>(
  source: Source<Item>,
  { toBytes, ...options }: StreamOptions<Item>,
): StreamReading<Item> {
  const stream = createItemStream(source, options)
  return {
    ...stream,
    toReadableStream: () => toWebStream(stream[Symbol.asyncIterator](), toBytes),
  }
}

/** Makes a source readable once, item by item. */
export function createItemStream<Item>(
  source: Source<Item>,
  { what, signal, maxWaitingItems = defaultMaxWaitingItems }: ItemStreamOptions,
): ItemStream<Item> {
  let isConsumed = false
  let stop: (() => void) | undefined

  const start = (consumer: Consumer<Item>): StreamControl => {
    if (isConsumed) throw new InputError(`A ${what} stream can be consumed once; make a new one`)
    isConsumed = true
    stop = consumer.stop
    return startSource(source, consumer, signal)
  }

  const iterate = (): AsyncIterator<Item, undefined> => {
    const queue = new BoundedQueue<Item>({
      maxItems: maxWaitingItems,
      onFull: () => control.pause(),
      onEmpty: () => control.resume(),
      onClose: () => control.close(),
    })
    const control = start({
      next: (item) => queue.push(item),
      end: () => queue.end(),
      error: (error) => queue.fail(error),
      abort: (reason) => queue.abort(reason),
      stop: () => queue.return(),
    })
    return queue
  }

  const close = async () => {
    isConsumed = true
    stop?.()
  }

  return {
    [Symbol.asyncIterator]: iterate,
    async consume(onItem) {
      let control: StreamControl | undefined
      try {
        await new Promise<void>((resolve, reject) => {
          control = start({
            next: onItem,
            end: resolve,
            error: reject,
            abort: reject,
            stop: resolve,
          })
        })
      } finally {
        control?.close()
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Begins to read a stream for a reader that comes later.
 * @param what named by errors, such as `A conversation`.
 * @returns a function that returns the items. @throws {InputError} when it is called again.
 */
export function readAhead<Item>(
  stream: AsyncIterable<Item>,
  what: string,
): () => AsyncIterator<Item, undefined> {
  const items = stream[Symbol.asyncIterator]()
  let isConsumed = false
  return () => {
    if (isConsumed) throw new InputError(`${what} can be consumed once; make a new one`)
    isConsumed = true
    return items
  }
}

function startSource<Item>(
  source: Source<Item>,
  consumer: Consumer<Item>,
  signal: AbortSignal | undefined,
): StreamControl {
  const control = source(consumer)
  if (!signal) return control
  const onAbort = () => {
    control.close()
    consumer.abort(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    pause: () => control.pause(),
    resume: () => control.resume(),
    close() {
      signal.removeEventListener('abort', onAbort)
      control.close()
    },
  }
}

function toWebStream<Item>(
  items: AsyncIterator<Item, undefined>,
  toBytes: (item: Item) => Uint8Array,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await items.next()
          if (done) return controller.close()
          const bytes = toBytes(value)
          if (bytes.length > 0) return controller.enqueue(bytes)
        }
      },
      async cancel() {
        await items.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
