interface QueueOptions {
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
export class BoundedQueue<Item> implements AsyncIterator<Item, undefined> {
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
