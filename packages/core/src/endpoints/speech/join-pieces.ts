import { ConnectionError } from '../../errors.ts'
import type { Sink, Source, StreamControl } from '../../streams/sink.ts'
import { chunkSizeBytes, type SpeechChunk } from './utterance-audio.ts'

/** A piece is paused when this much of it waits for its turn. */
export const maxWaitingBytes = 1024 * 1024

export interface JoinOptions {
  /** How many pieces after the current one are started in advance. Default 1; with 0, a piece starts when the previous one has ended. */
  ahead?: number
  /** Called before the first chunk of every piece except the first. */
  onNextPiece?(): void
}

/**
 * Joins sources into one that delivers their chunks in order. A piece is started shortly before its turn: the first
 * chunk of a piece starts the next `ahead` pieces. Starting them earlier would delay that first chunk.
 *
 * A piece that fails closes those after it at once. Its error is delivered in its turn, after the audio before it. A piece
 * that loses its connection before its turn begins again in its turn: of a slow reader, it waits for minutes, and services
 * and proxies close a connection that is not read for one.
 */
export function joinPieces(
  sources: Iterable<Source<SpeechChunk>>,
  options: JoinOptions = {},
): Source<SpeechChunk> {
  return (sink) => new JoinedPieces(sources, options, sink)
}

class JoinedPieces implements StreamControl {
  readonly #options: JoinOptions
  readonly #sink: Sink<SpeechChunk>
  readonly #pieces: Piece[] = []
  readonly #rest: Iterator<Source<SpeechChunk>>
  /** One in advance, which shows whether the current piece is the last. */
  #next: IteratorResult<Source<SpeechChunk>>
  #startable = Number.POSITIVE_INFINITY
  #current = 0
  #isPaused = false
  #isOver = false

  constructor(
    sources: Iterable<Source<SpeechChunk>>,
    options: JoinOptions,
    sink: Sink<SpeechChunk>,
  ) {
    this.#options = options
    this.#sink = sink
    this.#rest = sources[Symbol.iterator]()
    this.#next = this.#rest.next()
    this.#startUpTo(0)
    this.#deliver()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#deliver()
  }

  close(): void {
    this.#isOver = true
    this.#closeFrom(0)
  }

  #startUpTo(last: number): void {
    while (this.#pieces.length <= last && this.#pieces.length < this.#startable) {
      if (this.#next.done) return
      const source = this.#next.value
      this.#next = this.#rest.next()
      this.#start(source)
    }
  }

  #start(source: Source<SpeechChunk>, piece = new Piece()): void {
    if (!this.#pieces.includes(piece)) this.#pieces.push(piece)
    const index = this.#pieces.indexOf(piece)
    const fail = (error: unknown) => {
      if (index > this.#current && isLost(error)) {
        piece.clear()
        piece.beginAgain = () => this.#start(source, piece)
        return
      }
      piece.outcome = { error }
      this.#closeFrom(index + 1)
    }
    try {
      piece.control = source({
        next: (chunk) => {
          piece.add(chunk)
          this.#deliver()
        },
        end: () => {
          piece.outcome = {}
          this.#deliver()
        },
        error: (error) => {
          fail(error)
          this.#deliver()
        },
      })
    } catch (error) {
      fail(error)
    }
  }

  /** Delivers chunks until the sink is full or the current piece has no more chunks. */
  #deliver(): void {
    try {
      let hasMore = true
      while (hasMore && !this.#isPaused && !this.#isOver) hasMore = this.#deliverNext()
    } catch (error) {
      // Thrown by the sink, which may have been called from the end of another piece or by `resume`.
      this.#finish(() => this.#sink.error(error))
    }
  }

  /** @returns whether there may be more to deliver. */
  #deliverNext(): boolean {
    if (this.#current === this.#pieces.length) {
      this.#finish(() => this.#sink.end())
      return false
    }
    const piece = this.#pieces[this.#current]!
    const { beginAgain } = piece
    piece.beginAgain = undefined
    beginAgain?.()
    const chunk = piece.take()
    if (chunk) {
      this.#startUpTo(this.#current + (this.#options.ahead ?? 1))
      this.#sink.next(chunk)
      return true
    }
    if (!piece.outcome) return false
    if ('error' in piece.outcome) {
      const { error } = piece.outcome
      this.#finish(() => this.#sink.error(error))
      return false
    }
    this.#current += 1
    this.#startUpTo(this.#current)
    if (this.#current < this.#pieces.length) this.#options.onNextPiece?.()
    return true
  }

  #finish(report: () => void): void {
    this.close()
    report()
  }

  #closeFrom(index: number): void {
    this.#startable = Math.min(this.#startable, index)
    for (const { control } of this.#pieces.slice(index)) control?.close()
  }
}

function isLost(error: unknown): boolean {
  return ConnectionError.isInstance(error) && error.code === 'CONNECTION_LOST'
}

/** One of the joined sources, and its chunks that wait for its turn. */
class Piece {
  control: StreamControl | undefined
  outcome: { error?: unknown } | undefined
  /** Present if it has lost its connection before its turn. */
  beginAgain: (() => void) | undefined
  #waiting: SpeechChunk[] = []
  #waitingBytes = 0
  #isPaused = false

  clear(): void {
    this.control = undefined
    this.#waiting = []
    this.#waitingBytes = 0
    this.#isPaused = false
  }

  add(chunk: SpeechChunk): void {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunkSizeBytes(chunk)
    if (this.#isPaused || this.#waitingBytes < maxWaitingBytes) return
    this.#isPaused = true
    this.control?.pause()
  }

  take(): SpeechChunk | undefined {
    const chunk = this.#waiting.shift()
    if (!chunk) return undefined
    this.#waitingBytes -= chunkSizeBytes(chunk)
    if (this.#isPaused && this.#waitingBytes < maxWaitingBytes) {
      this.#isPaused = false
      this.control?.resume()
    }
    return chunk
  }
}
