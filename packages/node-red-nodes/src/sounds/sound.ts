import { EventEmitter, once } from 'node:events'
import {
  type AudioEncoding,
  createDurationMeter,
  type DurationMeter,
  encodings,
  RecordingError,
} from '@parlando/core/audio'
import { NodeInputError, NodeLimitError } from '../runtime/failure.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** How a sound is encoded. All sounds are mono; PCM is signed, 16 bits, little-endian. */
export interface SoundFormat {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
}

/** A word of a sound, in seconds from the start of the sound. */
export interface SoundWord {
  text: string
  startSeconds: number
}

/** A sound whose end may not exist yet. Every reader receives it from its first byte. */
export interface Sound {
  readonly format: SoundFormat
  readonly mediaType: string
  /** The number of all bytes that were made. */
  readonly byteLength: number
  /** The number of the bytes that are in memory. */
  readonly heldBytes: number
  /** The duration of all bytes that were made. Absent where the bytes do not show it. */
  readonly durationSeconds: number | undefined
  readonly isComplete: boolean
  /** The words that were made, if their times are known. */
  readonly words: readonly SoundWord[]
  /** When a byte was last made or read, by `performance.now()`. */
  readonly changedAt: number
  /** Resolves when the sound is complete; rejects if it could not be made to its end. */
  readonly completed: Promise<void>
  /**
   * Yields the bytes that exist at once, and then each chunk as it is made.
   * @throws The error of {@link completed}, the reason of the signal, or {@link NodeLimitError} if the start of a long sound
   * is no longer in memory.
   */
  read(signal?: AbortSignal): AsyncGenerator<Uint8Array, void>
  /** Yields the words that exist at once, and then others as they are made. Ends with the sound, also if that fails. */
  readWords(signal: AbortSignal): AsyncGenerator<readonly SoundWord[], void>
}

/** A sound in the making. */
export interface GrowingSound extends Sound {
  /** @throws {NodeLimitError} if too much of the sound waits for its readers; the sound then fails with this error. */
  append(chunk: Uint8Array): void
  /** Adds the words of the next chunk. */
  addWords(words: readonly SoundWord[]): void
  /**
   * Resolves when the readers have made room for more, so that a sound of any length takes a limited amount of memory.
   * @throws the reason of the signal.
   */
  room(signal?: AbortSignal): Promise<void>
  complete(): void
  fail(error: unknown): void
}

/** A step on the way to the sound that is played holds this much: 20 s of PCM. */
export const stepBytes = 1024 * 1024
/** A long sound keeps at least its last six minutes of PCM, or a quarter of an hour of MP3. */
const defaultKeptBytes = 16 * 1024 * 1024
/** A sound whose maker does not wait for {@link GrowingSound.room} holds at most this much. */
const maxHeldBytes = 64 * 1024 * 1024
/** Two hours of speech have this many words. Later words of a sound are dropped. */
const maxWords = 20_000
/** Several players of a sound do not begin in the same moment, and some begin twice. */
const keepStartMs = 5_000

/** A limit of the memory that sounds take. `withText` gives it its text. */
export class SoundLimitError extends NodeLimitError {
  /** The key of its text. */
  readonly limit: 'too-much-waiting' | 'start-gone'

  constructor(limit: SoundLimitError['limit']) {
    super(limit)
    this.limit = limit
  }
}

/**
 * Creates an empty sound, to which its maker appends.
 * @param keptBytes A sound with more bytes forgets those that all its readers have read.
 */
export function createSound(format: SoundFormat, keptBytes = defaultKeptBytes): GrowingSound {
  return new SoundInMemory(format, keptBytes)
}

class SoundInMemory implements GrowingSound {
  readonly format: SoundFormat
  readonly mediaType: string
  readonly completed: Promise<void>
  readonly words: SoundWord[] = []
  byteLength = 0
  heldBytes = 0
  changedAt = performance.now()
  readonly #keptBytes: number
  readonly #chunks: Uint8Array[] = []
  /** How many chunks are forgotten. */
  #forgotten = 0
  readonly #readers = new Set<{ next: number }>()
  readonly #meter: DurationMeter
  // One listener per reader, for example per browser page.
  readonly #events = new EventEmitter().setMaxListeners(0)
  #state: 'growing' | 'complete' | 'failed' = 'growing'
  #keepStartUntil = Number.POSITIVE_INFINITY
  #settle!: { resolve(): void; reject(error: unknown): void }

  constructor(format: SoundFormat, keptBytes: number) {
    this.format = format
    this.mediaType = encodings[format.audioEncoding].mediaType
    this.#keptBytes = keptBytes
    this.#meter = createDurationMeter(format.audioEncoding, format.sampleRateHertz)
    this.completed = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // A sound without a reader may fail.
    this.completed.catch(() => {})
  }

  get durationSeconds(): number | undefined {
    return this.#meter.seconds
  }

  get isComplete(): boolean {
    return this.#state === 'complete'
  }

  append(chunk: Uint8Array): void {
    if (this.#state !== 'growing' || chunk.length === 0) return
    this.#forget()
    if (this.heldBytes + chunk.length > maxHeldBytes) {
      const error = new SoundLimitError('too-much-waiting')
      this.fail(error)
      throw error
    }
    this.#meter.push(chunk)
    this.byteLength += chunk.length
    this.heldBytes += chunk.length
    this.#chunks.push(chunk)
    this.#note('made')
  }

  addWords(words: readonly SoundWord[]): void {
    for (const { text, startSeconds } of words.slice(0, maxWords - this.words.length)) {
      this.words.push({ text, startSeconds })
    }
  }

  async room(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      this.#forget()
      if (this.heldBytes <= this.#keptBytes || this.#state !== 'growing') return
      const restMs = this.#keepStartUntil - performance.now()
      const isStartKept = restMs > 0 && restMs <= keepStartMs
      const timer = isStartKept ? setTimeout(() => this.#events.emit('read'), restMs) : undefined
      await once(this.#events, 'read', { signal }).catch(() => {})
      clearTimeout(timer)
    }
  }

  complete(): void {
    if (this.#state !== 'growing') return
    this.#settle.resolve()
    this.#end('complete')
  }

  fail(error: unknown): void {
    if (this.#state !== 'growing') return
    this.#settle.reject(error)
    this.#end('failed')
  }

  async *read(signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    if (this.#forgotten > 0) throw new SoundLimitError('start-gone')
    const reader = { next: 0 }
    this.#readers.add(reader)
    this.#keepStartUntil = Math.min(this.#keepStartUntil, performance.now() + keepStartMs)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const chunk = this.#chunks[reader.next - this.#forgotten]
        if (chunk) {
          reader.next += 1
          this.#note('read')
          yield chunk
        } else if (this.#state !== 'growing') return await this.completed
        // An abort makes it reject with an error of its own; the next turn throws the reason of the signal.
        else await once(this.#events, 'made', { signal }).catch(() => {})
      }
    } finally {
      this.#readers.delete(reader)
      this.#events.emit('read')
    }
  }

  async *readWords(signal: AbortSignal): AsyncGenerator<readonly SoundWord[], void> {
    let read = 0
    while (!signal.aborted) {
      const isOver = this.#state !== 'growing'
      const words = this.words.slice(read)
      read += words.length
      if (words.length > 0) yield words
      else if (isOver) return
      else await once(this.#events, 'made', { signal }).catch(() => {})
    }
  }

  #end(state: 'complete' | 'failed'): void {
    this.#state = state
    this.#note('made')
    this.#note('read')
  }

  #note(event: 'made' | 'read'): void {
    this.changedAt = performance.now()
    this.#events.emit(event)
  }

  /** Forgets what all readers have read, if that is needed and allowed. */
  #forget(): void {
    if (performance.now() < this.#keepStartUntil || this.#readers.size === 0) return
    const read = Math.min(...Array.from(this.#readers, ({ next }) => next))
    let count = 0
    while (this.heldBytes > this.#keptBytes && this.#forgotten + count < read) {
      this.heldBytes -= this.#chunks[count]!.length
      count += 1
    }
    if (count > 0) this.#chunks.splice(0, count)
    this.#forgotten += count
  }
}

/** A sound that exists as a whole. */
export function soundOf(format: SoundFormat, audio: Uint8Array): Sound {
  const sound = createSound(format)
  sound.append(audio)
  sound.complete()
  return sound
}

/** Gives the errors of sounds their texts in the language of Node-RED. @returns any other error itself. */
export function withText(RED: Texts, error: unknown): unknown {
  // `instanceof` does not work here: the bundle of each node contains its own copy of the class.
  const { limit } = (error ?? {}) as Partial<SoundLimitError>
  if (limit === 'too-much-waiting' || limit === 'start-gone')
    return new NodeLimitError(sharedText(RED, `sound.limit.${limit}`), { cause: error })
  if (!RecordingError.isInstance(error)) return error
  const text = sharedText(RED, `sound.problem.${error.problem}`, error.values)
  return new NodeInputError(text, { cause: error })
}
