/** A bounded queue between a source that pushes items and a reader that asks for them one at a time. */
export interface Queue<Item> extends AsyncIterator<Item, undefined> {
  push(item: Item): void
  /** Ends the queue after the items in it. */
  end(): void
  /** Fails after the items in the queue. */
  fail(error: unknown): void
  /** Fails at once: drops the items in the queue, and the end or failure after them. */
  abort(error: unknown): void
  /** The reader stops: drops the items in the queue and ends every pending `next()`. */
  return(): Promise<IteratorReturnResult<undefined>>
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
 * Creates a queue. It is written by hand because an async generator over a stream costs more CPU time than decoding the
 * chunks. A pending `next()` costs a promise and two variables; the rare second one waits for the first.
 */
export function createQueue<Item>(options: QueueOptions): Queue<Item> {
  const { maxItems, onFull, onEmpty, onClose } = options
  const items: Item[] = []
  let isFull = false
  let isClosed = false
  let outcome: { error?: unknown } | undefined
  let pending: Promise<Result<Item>> | undefined
  let resolveNext: ((result: Result<Item> | Promise<Result<Item>>) => void) | undefined

  const waitForItem = (resolve: NonNullable<typeof resolveNext>) => {
    resolveNext = resolve
  }

  const resolvePending = (result: Result<Item> | Promise<Result<Item>>) => {
    const resolve = resolveNext
    pending = undefined
    resolveNext = undefined
    resolve?.(result)
  }

  const close = () => {
    if (isClosed) return
    isClosed = true
    onClose()
  }

  /** A failure is reported once; from then on the queue is done. */
  const reportOutcome = async (): Promise<Result<Item>> => {
    const reported = outcome
    outcome = {}
    close()
    if (reported && 'error' in reported) throw reported.error
    return done
  }

  const settle = (next: { error?: unknown }) => {
    outcome ??= next
    if (pending) resolvePending(reportOutcome())
  }

  const next = (): Promise<Result<Item>> => {
    if (items.length > 0) {
      const value = items.shift() as Item
      if (isFull && items.length === 0) {
        isFull = false
        onEmpty()
      }
      return Promise.resolve({ done: false, value })
    }
    if (outcome) return reportOutcome()
    if (pending) return pending.then(next, next)
    pending = new Promise(waitForItem)
    return pending
  }

  return {
    push(item) {
      if (pending) return resolvePending({ done: false, value: item })
      items.push(item)
      if (isFull || items.length < maxItems) return
      isFull = true
      onFull()
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    abort(error) {
      if (isClosed) return
      items.length = 0
      outcome = undefined
      settle({ error })
    },
    next,
    async return() {
      items.length = 0
      outcome = {}
      settle({})
      close()
      return done
    },
  }
}
