import type { NodeMessageInFlow } from 'node-red'
import { NodeInputError, NodeLimitError } from '../runtime/failure.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** A message with a Buffer, or with one of the chunks that *speak* sends. */
export interface SoundMessage extends NodeMessageInFlow {
  audio?: unknown
  complete?: unknown
}

/** Takes a message out of the sequence of chunks; it stays part of the sequence around that, if there is one. */
export function leaveSequence(message: SoundMessage): void {
  const { parts: outerParts } = (message.parts ?? {}) as { parts?: SoundMessage['parts'] }
  delete message.complete
  if (outerParts) message.parts = outerParts
  else delete message.parts
}

export interface ChunkSequencesOptions<Item> {
  RED: Texts
  /** A sequence fails when nothing has arrived for this long. */
  maxPauseMs: number
  /** How much longer the pause after a chunk may be. Default: 0. */
  extraPauseMs?(item: Item): number
  /** While it is true, a pause that is too long begins again. */
  isPaused?(): boolean
  /** The error when a chunk is missing. */
  missing(): Error
}

/** What happens with a chunk. */
export interface ChunkHandler<Item> {
  /** Called for the first chunk. Its error is the only one of the sequence. */
  begin(): Item
  /** Adds the chunk. An error fails the sequence. */
  append(item: Item): void
}

// A flow may never send the end of a sequence.
const maxOpen = 16
const maxDropped = 100

/** What grows by the chunks of sequences, until the last chunk of each has arrived. */
export class ChunkSequences<Item extends { fail(error: unknown): void }> {
  readonly #options: ChunkSequencesOptions<Item>
  readonly #open = new Map<string, { item: Item; chunks: number; pause?: NodeJS.Timeout }>()
  /** Sequences whose other chunks may still arrive. */
  readonly #dropped = new Set<string>()

  constructor(options: ChunkSequencesOptions<Item>) {
    this.#options = options
  }

  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  /**
   * Takes a chunk of a message with `msg.parts.id`.
   * @returns nothing for a chunk of a sequence that has failed or was dropped.
   * @throws {Error} if a chunk before this one is missing, or the error of the handler for the first chunk.
   */
  take(
    { parts, complete }: SoundMessage,
    handler: ChunkHandler<Item>,
  ): { item: Item; isFirst: boolean; isLast: boolean } | undefined {
    const { id, index, count } = parts!
    const isFirst = index === 0
    const isLast = complete === true || (count !== undefined && index === count - 1)
    if (isFirst) this.#begin(id, handler)
    else if (this.#dropped.has(id)) return undefined
    const current = this.#open.get(id)
    // A message may have no index at all.
    if (!current || current.chunks !== index) {
      const error = this.#options.missing()
      this.drop(id, error)
      throw error
    }
    const { item } = current
    current.chunks += 1
    try {
      handler.append(item)
    } catch (error) {
      this.drop(id, error)
      // The message that began the sequence reports its failure.
      if (isFirst) throw error
      return undefined
    }
    if (isLast) this.#forget(id)
    else this.#waitForMore(id)
    return { item, isFirst, isLast }
  }

  /** Fails a sequence; its later chunks are dropped. */
  drop(id: string, error: unknown): void {
    this.#open.get(id)?.item.fail(error)
    this.#forget(id)
    this.#dropped.add(id)
    const [oldest] = this.#dropped
    if (this.#dropped.size > maxDropped) this.#dropped.delete(oldest!)
  }

  /** Fails all sequences whose end has not arrived, or only those of one item. */
  close(item?: Item): void {
    for (const [id, { item: other }] of [...this.#open]) {
      if (item === undefined || item === other) this.drop(id, this.#endMissing())
    }
  }

  #begin(id: string, { begin }: ChunkHandler<Item>): void {
    const [oldest] = this.#open.keys()
    if (this.#open.has(id)) this.drop(id, this.#endMissing())
    else if (this.#open.size >= maxOpen) {
      this.drop(oldest!, new NodeLimitError(sharedText(this.#options.RED, 'sound.too-many')))
    }
    this.#dropped.delete(id)
    try {
      this.#open.set(id, { item: begin(), chunks: 0 })
    } catch (error) {
      this.drop(id, error)
      throw error
    }
  }

  #forget(id: string): void {
    clearTimeout(this.#open.get(id)?.pause)
    this.#open.delete(id)
  }

  #waitForMore(id: string): void {
    const current = this.#open.get(id)!
    const { RED, maxPauseMs, extraPauseMs, isPaused } = this.#options
    clearTimeout(current.pause)
    const overdue = () => {
      if (isPaused?.()) return this.#waitForMore(id)
      const text = sharedText(RED, 'sound.end-overdue', { seconds: maxPauseMs / 1000 })
      this.drop(id, new NodeInputError(text))
    }
    current.pause = setTimeout(overdue, maxPauseMs + (extraPauseMs?.(current.item) ?? 0)).unref()
  }

  #endMissing(): NodeInputError {
    return new NodeInputError(sharedText(this.#options.RED, 'sound.end-missing'))
  }
}
