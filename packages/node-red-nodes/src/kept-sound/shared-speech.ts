import { EventEmitter, once } from 'node:events'
import type { SpeechChunk } from '@parlando/core'
import { speechWithChunks } from '../runtime/speech/speech-with-chunks.ts'
import type { Speech } from '../runtime/speech-service.ts'
import { unlessAborted } from '../runtime/wait.ts'

export interface SharedSpeechOptions {
  /**
   * Begins to make the speech.
   * @param signal Aborted when nobody reads it any more.
   * @param ended Resolves when it was read, also if it fails or is aborted.
   */
  make(signal: AbortSignal, ended: Promise<void>): Promise<Speech>
  /** Longer speech is in memory only until the slowest reader has it. */
  maxHeldBytes: number
  /** Called with each chunk once, when it is made. */
  onChunk?(chunk: SpeechChunk): void
}

interface Reader {
  /** The chunk that it reads next. */
  next: number
}

/**
 * Speech that is made once for all who ask for it at the same time. Each reader receives it from its first chunk, as soon as the chunks
 * exist. It is made as fast as the fastest reader reads, and ends when the last reader has left.
 * Not shared with `SharedMaking` of the local service, which hands the whole sound to a store: neither package imports the other,
 * and no client of the core needs it.
 */
export class SharedSpeech {
  /** Resolves at its end, also if it fails or is aborted. */
  readonly ended: Promise<void>
  readonly #speech: Promise<Speech>
  readonly #maxHeldBytes: number
  readonly #onChunk: (chunk: SpeechChunk) => void
  readonly #leaving = new AbortController()
  // One listener per reader.
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #readers = new Set<Reader>()
  readonly #chunks: SpeechChunk[] = []
  /** How many chunks are not in memory any more. */
  #forgotten = 0
  #heldBytes = 0
  #iterator: AsyncIterator<SpeechChunk> | undefined
  #isPulling = false
  #state: 'growing' | 'complete' | 'failed' = 'growing'
  #error: unknown
  #end!: () => void

  constructor({ make, maxHeldBytes, onChunk = () => {} }: SharedSpeechOptions) {
    this.#maxHeldBytes = maxHeldBytes
    this.#onChunk = onChunk
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#speech = make(this.#leaving.signal, this.ended)
    this.#speech.catch((error) => this.#finish('failed', error))
  }

  /** Whether a further reader can receive it from its first chunk. */
  get isJoinable(): boolean {
    return this.#forgotten === 0 && this.#state !== 'failed'
  }

  get isComplete(): boolean {
    return this.#state === 'complete'
  }

  /** All chunks, once it is complete. @returns nothing if it failed, was aborted, or was too long for the memory. */
  get whole(): readonly SpeechChunk[] | undefined {
    return this.#state === 'complete' && this.#forgotten === 0 ? this.#chunks : undefined
  }

  /** @param signal Ends the reading. The making goes on if others read. */
  async join(signal: AbortSignal): Promise<Speech> {
    const reader: Reader = { next: 0 }
    this.#readers.add(reader)
    const leave = () => this.#leave(reader)
    signal.addEventListener('abort', leave, { once: true })
    void this.ended.then(() => signal.removeEventListener('abort', leave))
    if (signal.aborted) leave()
    const speech = await unlessAborted(this.#speech, signal)
    const chunks = this.#read(reader, signal)
    return speechWithChunks(
      () => speech,
      () => chunks,
    )
  }

  async *#read(reader: Reader, signal: AbortSignal): AsyncGenerator<SpeechChunk, void> {
    try {
      for (;;) {
        signal.throwIfAborted()
        const chunk = this.#chunks[reader.next - this.#forgotten]
        if (chunk) {
          reader.next += 1
          this.#forget()
          // A flow may change the bytes of its message.
          const isShared = this.#forgotten === 0 || this.#readers.size > 1
          yield isShared ? { ...chunk, audio: Buffer.from(chunk.audio) } : chunk
        } else if (this.#state === 'failed') throw this.#error
        else if (this.#state === 'complete') return
        else {
          this.#pull()
          // An abort makes it reject with an error of its own; the next turn throws the reason of the signal.
          await once(this.#events, 'change', { signal }).catch(() => {})
        }
      }
    } finally {
      this.#leave(reader)
    }
  }

  /** Requests the next chunk, unless the slowest reader has to read first. */
  #pull(): void {
    if (this.#isPulling || this.#heldBytes > this.#maxHeldBytes) return
    this.#isPulling = true
    this.#next()
      .then(({ done, value }) => {
        this.#isPulling = false
        if (done) return this.#finish('complete')
        this.#onChunk(value)
        this.#chunks.push(value)
        this.#heldBytes += value.audio.length
        this.#events.emit('change')
      })
      // Also what a listener throws: nobody else would see it.
      .catch((error) => this.#finish('failed', error))
  }

  async #next(): Promise<IteratorResult<SpeechChunk>> {
    this.#iterator ??= (await this.#speech)[Symbol.asyncIterator]()
    return this.#iterator.next()
  }

  /** Forgets what all readers have read, if it is too much to keep. */
  #forget(): void {
    if (this.#heldBytes <= this.#maxHeldBytes) return
    const read = Math.min(...Array.from(this.#readers, ({ next }) => next))
    for (const { audio } of this.#chunks.splice(0, read - this.#forgotten)) {
      this.#forgotten += 1
      this.#heldBytes -= audio.length
    }
    this.#events.emit('change')
  }

  #leave(reader: Reader): void {
    if (!this.#readers.delete(reader)) return
    if (this.#readers.size > 0) this.#forget()
    else this.#abort()
  }

  /** Ends the making, since nobody reads the speech any more. */
  #abort(): void {
    if (this.#state !== 'growing') return
    const reason = new DOMException('Nobody reads the speech any more', 'AbortError')
    this.#leaving.abort(reason)
    void this.#iterator?.return?.()?.catch(() => {})
    this.#finish('failed', reason)
  }

  #finish(state: 'complete' | 'failed', error?: unknown): void {
    if (this.#state !== 'growing') return
    this.#state = state
    this.#error = error
    this.#events.emit('change')
    this.#end()
  }
}
