/** Takes items from a source that pushes and hands them to one reader, item by item. */
export interface Queue<Item> extends AsyncIterator<Item, undefined> {
  push(item: Item): void
  end(): void
  /** The reader hears of it after what waits. */
  fail(error: unknown): void
  /** Drops what waits. */
  clear(): void
}

export interface QueueOptions {
  /** Called when the queue is full: the source should pause. */
  onFull(): void
  /** Called when it has room again. */
  onRoom(): void
  /** Called when the reader leaves before the end. */
  onLeave(): void
}

interface Reader<Item> {
  resolve(result: IteratorResult<Item, undefined>): void
  reject(error: unknown): void
}

const done = { done: true, value: undefined } as const

// Few, because each is as large as the service makes it, and audio can wait in the service as well.
const maxItems = 16

/**
 * A queue with a limit between a pushing source and `for await`. Written by hand, because an async generator over a
 * stream costs more than decoding what comes through it.
 */
export function createQueue<Item>(options: QueueOptions): Queue<Item> {
  const items: Item[] = []
  let isFull = false
  let outcome: { error?: unknown } | undefined
  const readers: Reader<Item>[] = []

  /** Tells how it ended, which is told once; from then on it is done. */
  const tellOutcome = ({ resolve, reject }: Reader<Item>) => {
    const told = outcome
    outcome = {}
    if (told && 'error' in told) reject(told.error)
    else resolve(done)
  }

  const settle = (next: { error?: unknown }) => {
    outcome ??= next
    for (const reader of readers.splice(0)) tellOutcome(reader)
  }

  return {
    push(item) {
      const reader = readers.shift()
      if (reader) return reader.resolve({ done: false, value: item })
      items.push(item)
      if (isFull || items.length < maxItems) return
      isFull = true
      options.onFull()
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    next() {
      const item = items.shift()
      if (item !== undefined) {
        if (isFull && items.length === 0) {
          isFull = false
          options.onRoom()
        }
        return Promise.resolve({ done: false, value: item })
      }
      return new Promise((resolve, reject) => {
        const reader = { resolve, reject }
        if (outcome) tellOutcome(reader)
        else readers.push(reader)
      })
    },
    clear() {
      items.length = 0
    },
    return() {
      items.length = 0
      outcome = {}
      settle({})
      options.onLeave()
      return Promise.resolve(done)
    },
  }
}
