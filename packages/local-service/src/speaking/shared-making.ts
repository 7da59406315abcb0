import { orAborted } from '../concurrency/abort-signals.ts'

interface Chunk {
  readonly audio: Uint8Array
}

export interface SharedMakingOptions<Item> {
  make(signal: AbortSignal): AsyncGenerator<Item, void>
  /** Longer audio has only one copy of each chunk in memory, until the slowest reader has it. */
  maxBytes: number
  /** Called once, as soon as it is longer: nobody else can read it from its first chunk. */
  onTooLong(): void
  /** Called once with all chunks, or with nothing if it is too long, failed or was abandoned. */
  onEnd(items: readonly Item[] | undefined): void
}

interface Reader {
  /** The chunk that it reads next. */
  next: number
}

/**
 * Audio that is made once for all who want it at the same time. Each reader receives all of it, from its first chunk. It is made as
 * fast as the fastest reader reads, unless that one is too far ahead of the slowest, and no longer once the last reader has left.
 * Not shared with `SharedSpeech` of the nodes, which waits for a connection and passes on what a response says of itself: neither
 * package imports the other, and no client of the core needs it.
 */
export class SharedMaking<Item extends Chunk> {
  readonly #options: SharedMakingOptions<Item>
  readonly #source: AsyncGenerator<Item, void>
  readonly #abandoned = new AbortController()
  readonly #readers = new Set<Reader>()
  #items: Item[] = []
  #bytes = 0
  /** How many chunks are not in memory any more. */
  #dropped = 0
  #isTooLong = false
  #pulling: Promise<void> | undefined
  /** The wait of the readers that are too far ahead. */
  #waiting: { room: Promise<void>; end(): void } | undefined
  #state: 'making' | 'complete' | 'failed' = 'making'
  #error: unknown

  constructor(options: SharedMakingOptions<Item>) {
    this.#options = options
    this.#source = options.make(this.#abandoned.signal)
  }

  /** Reads from the first chunk: must not be called any more after `onTooLong`. */
  async *read(signal: AbortSignal): AsyncGenerator<Item, void> {
    const reader: Reader = { next: 0 }
    this.#readers.add(reader)
    try {
      for (;;) {
        const item = this.#items[reader.next - this.#dropped]
        if (item) {
          reader.next += 1
          this.#drop()
          yield item
        } else if (this.#state === 'failed') throw this.#error
        else if (this.#state === 'complete') return
        else await orAborted(this.#more(), signal)
      }
    } finally {
      this.#readers.delete(reader)
      if (this.#readers.size === 0) this.#abandon()
      else this.#drop()
    }
  }

  /** Resolves after the next chunk, or when the slowest reader has read. */
  #more(): Promise<void> {
    if (this.#bytes <= this.#options.maxBytes) return this.#pull()
    if (!this.#waiting) {
      let end = () => {}
      const room = new Promise<void>((resolve) => (end = resolve))
      this.#waiting = { room, end }
    }
    return this.#waiting.room
  }

  #pull(): Promise<void> {
    this.#pulling ??= this.#source.next().then(
      ({ done, value }) => {
        this.#pulling = undefined
        if (done) this.#finish('complete')
        else this.#keep(value)
      },
      (error) => this.#finish('failed', error),
    )
    return this.#pulling
  }

  #keep(item: Item): void {
    if (this.#state !== 'making') return
    this.#items.push(item)
    this.#bytes += item.audio.length
    if (this.#isTooLong || this.#bytes <= this.#options.maxBytes) return
    this.#isTooLong = true
    this.#options.onTooLong()
    this.#drop()
  }

  /** Drops what all readers have read, if it is too long to be kept. */
  #drop(): void {
    if (!this.#isTooLong) return
    const read = Math.min(...Array.from(this.#readers, ({ next }) => next))
    for (const { audio } of this.#items.splice(0, read - this.#dropped)) {
      this.#dropped += 1
      this.#bytes -= audio.length
    }
    this.#waiting?.end()
    this.#waiting = undefined
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
    const isWhole = state === 'complete' && !this.#isTooLong
    this.#options.onEnd(isWhole ? this.#items : undefined)
  }
}
