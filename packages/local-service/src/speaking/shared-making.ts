import { orAborted } from '../concurrency/abort-signals.ts'

/**
 * Items that are made once for all who want them at the same time. Each reader receives all of them, from the first one. They are
 * made as fast as the fastest reader reads, and no longer once the last reader has left. All of them are in memory until then, unlike
 * the speech that several nodes share (`kept-sound/shared-speech.ts` of the nodes), which can be long.
 */
export class SharedMaking<Item> {
  readonly #items: Item[] = []
  readonly #source: AsyncGenerator<Item, void>
  readonly #abandoned = new AbortController()
  #readers = 0
  #pulling: Promise<void> | undefined
  #state: 'making' | 'complete' | 'failed' = 'making'
  #error: unknown
  readonly #onEnd: (items: readonly Item[] | undefined) => void

  /** @param onEnd Called once with all items, or with nothing if it failed or was abandoned. */
  constructor(
    make: (signal: AbortSignal) => AsyncGenerator<Item, void>,
    onEnd: (items: readonly Item[] | undefined) => void,
  ) {
    this.#source = make(this.#abandoned.signal)
    this.#onEnd = onEnd
  }

  async *read(signal: AbortSignal): AsyncGenerator<Item, void> {
    this.#readers += 1
    try {
      for (let next = 0; ; next++) {
        while (next >= this.#items.length && this.#state === 'making') {
          await orAborted(this.#pull(), signal)
        }
        const item = this.#items[next]
        if (item === undefined && this.#state === 'failed') throw this.#error
        if (item === undefined) return
        yield item
      }
    } finally {
      this.#readers -= 1
      if (this.#readers === 0) this.#abandon()
    }
  }

  #pull(): Promise<void> {
    this.#pulling ??= this.#source.next().then(
      ({ done, value }) => {
        this.#pulling = undefined
        if (done) this.#finish('complete')
        else this.#items.push(value)
      },
      (error) => this.#finish('failed', error),
    )
    return this.#pulling
  }

  #abandon(): void {
    if (this.#state !== 'making') return
    const reason = new DOMException('Nobody reads any more', 'AbortError')
    this.#finish('failed', reason)
    this.#abandoned.abort(reason)
    void this.#source.return().catch(() => {})
  }

  #finish(state: 'complete' | 'failed', error?: unknown): void {
    if (this.#state !== 'making') return
    this.#state = state
    this.#error = error
    this.#onEnd(state === 'complete' ? this.#items : undefined)
  }
}
