import type { Sink, Source, StreamControl } from './sink.ts'

export interface RelayOptions<Item> {
  /** The memory that an item takes. */
  sizeBytes(item: Item): number
  /** Called when waiting items have been delivered. */
  onDelivered(): void
  /** Called when the reader closes the source. */
  onClose(): void
}

/** Passes on items that may arrive before their reader, or while it is paused. Meanwhile they wait. */
export class Relay<Item> implements Sink<Item> {
  readonly #options: RelayOptions<Item>
  #waiting: Item[] = []
  #waitingBytes = 0
  #sink: Sink<Item> | undefined
  #isPaused = true
  #outcome: { error?: unknown } | undefined

  constructor(options: RelayOptions<Item>) {
    this.#options = options
  }

  /** The number of items that wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** The size of the items that wait. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  next(item: Item): void {
    if (this.#outcome) return
    if (this.#isPaused) {
      this.#waiting.push(item)
      this.#waitingBytes += this.#options.sizeBytes(item)
    } else this.#deliver(item)
  }

  end(): void {
    this.#settle({})
  }

  error(error: unknown): void {
    this.#settle({ error })
  }

  /** The source for the one reader. */
  readonly source: Source<Item> = (sink): StreamControl => {
    this.#sink = sink
    // A source must not call its sink before it has returned.
    queueMicrotask(() => this.#resume())
    return {
      pause: () => {
        this.#isPaused = true
      },
      resume: () => this.#resume(),
      close: () => this.#close(),
    }
  }

  /** An error that the reader throws is the reader's: it must not reach what passes on the item, such as a WebSocket. */
  #deliver(item: Item): void {
    const sink = this.#sink
    try {
      sink?.next(item)
    } catch (error) {
      this.#close()
      sink?.error(error)
    }
  }

  #close(): void {
    this.#sink = undefined
    this.#waiting = []
    this.#waitingBytes = 0
    this.#options.onClose()
  }

  #resume(): void {
    this.#isPaused = false
    while (!this.#isPaused && this.#sink && this.#waiting.length > 0) {
      const item = this.#waiting.shift() as Item
      this.#waitingBytes -= this.#options.sizeBytes(item)
      this.#deliver(item)
    }
    if (this.#waiting.length === 0) this.#options.onDelivered()
    this.#report()
  }

  #settle(outcome: { error?: unknown }): void {
    this.#outcome ??= outcome
    this.#report()
  }

  /** Reports the end, or the failure, after the waiting items. */
  #report(): void {
    if (!this.#outcome || !this.#sink || this.#waiting.length > 0) return
    const sink = this.#sink
    this.#sink = undefined
    if ('error' in this.#outcome) sink.error(this.#outcome.error)
    else sink.end()
  }
}
