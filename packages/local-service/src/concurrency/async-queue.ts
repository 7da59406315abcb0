/** A queue between a producer that must not be blocked and a single reader. */
export interface AsyncQueue<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
  /** The reader gets the items pushed so far, then this error. */
  fail(error: unknown): void
}

/** The queue has no limit of its own, so the producer must have one. */
export function createAsyncQueue<Item>(): AsyncQueue<Item> {
  const items: Item[] = []
  let isEnded = false
  let failure: { error: unknown } | undefined
  let wake = () => {}
  return {
    push(item) {
      items.push(item)
      wake()
    },
    end() {
      isEnded = true
      wake()
    },
    fail(error) {
      failure = { error }
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        // All that wait, because taking them from the front one by one would move the others each time.
        for (const item of items.splice(0)) yield item
        if (items.length > 0) continue
        if (failure) throw failure.error
        if (isEnded) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
