import { InputError } from '../errors.ts'
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

export interface StreamOptions<Item> {
  /** Used in errors, such as `speech`. */
  what: string
  /** Aborting it drops the waiting items and throws its reason, even after the response has arrived. */
  signal: AbortSignal | undefined
  /** How many items may wait for `for await` before the source is paused. Default 16. */
  maxWaitingItems?: number
  /** What an item contributes to the web stream; nothing if it is empty. */
  toBytes(item: Item): Uint8Array
}

/** The part of a stream that does not depend on the kind of its items. */
export type StreamReading<Item> = Omit<Stream<Item, unknown>, 'requestId' | 'collect'>

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
  options: StreamOptions<Item>,
): StreamReading<Item> {
  const { what, signal, maxWaitingItems = defaultMaxWaitingItems, toBytes } = options
  let isConsumed = false
  let stop: (() => void) | undefined

  const start = (consumer: Consumer<Item>): StreamControl => {
    if (isConsumed) throw new InputError(`A ${what} stream can be consumed once; make a new one`)
    isConsumed = true
    stop = consumer.stop
    return startSource(source, consumer, signal)
  }

  const iterate = (): AsyncIterator<Item, undefined> => {
    const queue = new Queue<Item>({
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
    toReadableStream: () => toWebStream(iterate(), toBytes),
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

export interface QueueOptions {
  /** The queue is full from this many items on. */
  maxItems: number
  /** Called when the queue is full: the source should pause. */
  onFull(): void
  /** Called when a full queue has been emptied: the source should resume. */
  onEmpty(): void
  /** Called once, when the reader has reached the end or a failure, or has stopped. */
  onClose(): void
}

type Result<Item> = IteratorResult<Item, undefined>

const done = { done: true, value: undefined } as const

/**
 * A bounded queue between a source that pushes items and a reader that asks for them one at a time.
 *
 * An async generator over a stream would cost more CPU time than decoding the chunks. A pending `next()` costs a promise and
 * two variables; the rare second one waits for the first.
 */
export class Queue<Item> implements AsyncIterator<Item, undefined> {
  readonly #options: QueueOptions
  readonly #items: Item[] = []
  #isFull = false
  #isClosed = false
  #outcome: { error?: unknown } | undefined
  #pending: Promise<Result<Item>> | undefined
  #resolvePending: ((result: Result<Item> | Promise<Result<Item>>) => void) | undefined

  constructor(options: QueueOptions) {
    this.#options = options
  }

  push(item: Item): void {
    if (this.#pending) {
      this.#deliver({ done: false, value: item })
      return
    }
    this.#items.push(item)
    if (this.#isFull || this.#items.length < this.#options.maxItems) return
    this.#isFull = true
    this.#options.onFull()
  }

  /** Ends the queue after the items in it. */
  end(): void {
    this.#settle({})
  }

  /** Fails after the items in the queue. */
  fail(error: unknown): void {
    this.#settle({ error })
  }

  /** Fails at once: drops the items in the queue, and the end or failure after them. */
  abort(error: unknown): void {
    if (this.#isClosed) return
    this.#items.length = 0
    this.#outcome = undefined
    this.#settle({ error })
  }

  next(): Promise<Result<Item>> {
    if (this.#items.length > 0) {
      const value = this.#items.shift() as Item
      if (this.#isFull && this.#items.length === 0) {
        this.#isFull = false
        this.#options.onEmpty()
      }
      return Promise.resolve({ done: false, value })
    }
    if (this.#outcome) return this.#reportOutcome()
    if (this.#pending) return this.#nextAfter(this.#pending)
    this.#pending = new Promise(this.#keepResolve)
    return this.#pending
  }

  /** The reader stops: drops the items in the queue and ends every pending `next()`. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#items.length = 0
    this.#outcome = {}
    this.#settle({})
    this.#close()
    return done
  }

  // One function for all promises, because a new one for each would cost more than the rest of `next`.
  readonly #keepResolve = (resolve: (result: Result<Item> | Promise<Result<Item>>) => void) => {
    this.#resolvePending = resolve
  }

  #nextAfter(pending: Promise<Result<Item>>): Promise<Result<Item>> {
    const next = () => this.next()
    return pending.then(next, next)
  }

  #deliver(result: Result<Item> | Promise<Result<Item>>): void {
    const resolve = this.#resolvePending
    this.#pending = undefined
    this.#resolvePending = undefined
    resolve?.(result)
  }

  #settle(outcome: { error?: unknown }): void {
    this.#outcome ??= outcome
    if (this.#pending) this.#deliver(this.#reportOutcome())
  }

  /** A failure is reported once; from then on the queue is done. */
  async #reportOutcome(): Promise<Result<Item>> {
    const reported = this.#outcome
    this.#outcome = {}
    this.#close()
    if (reported && 'error' in reported) throw reported.error
    return done
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#options.onClose()
  }
}
