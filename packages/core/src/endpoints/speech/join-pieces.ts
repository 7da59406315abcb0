import type { Source, StreamControl } from '../../streams/sink.ts'
import { chunkSizeBytes, type SpeechChunk } from './source.ts'

/** A piece is paused when this much of it waits for its turn. */
export const maxWaitingBytes = 1024 * 1024

export interface JoinOptions {
  /** How many pieces after the current one are started in advance. Default 1; with 0, a piece starts when the previous one has ended. */
  ahead?: number
  /** Called before the first chunk of every piece except the first. */
  onNextPiece?(): void
}

/** One of the joined sources, and its chunks that wait for its turn. */
interface Piece {
  control: StreamControl
  waiting: SpeechChunk[]
  waitingBytes: number
  isPaused: boolean
  outcome?: { error?: unknown }
}

const noControl: StreamControl = { pause() {}, resume() {}, close() {} }

/**
 * Joins sources into one that delivers their chunks in order. A piece is started shortly before its turn: the first
 * chunk of a piece starts the next `ahead` pieces. Starting them earlier would delay that first chunk.
 *
 * A piece that fails closes those after it at once. Its error is delivered in its turn, after the audio before it.
 */
export function joinPieces(
  sources: Iterable<Source<SpeechChunk>>,
  { ahead = 1, onNextPiece }: JoinOptions = {},
): Source<SpeechChunk> {
  return (sink) => {
    const pieces: Piece[] = []
    const rest = sources[Symbol.iterator]()
    // One in advance, which shows whether the current piece is the last.
    let next = rest.next()
    let startable = Number.POSITIVE_INFINITY
    let current = 0
    let isPaused = false
    let isOver = false

    const closeFrom = (index: number) => {
      startable = Math.min(startable, index)
      for (const { control } of pieces.slice(index)) control.close()
    }

    const finish = (report: () => void) => {
      isOver = true
      closeFrom(0)
      report()
    }

    const start = (source: Source<SpeechChunk>) => {
      const index = pieces.length
      const piece: Piece = {
        control: noControl,
        waiting: [],
        waitingBytes: 0,
        isPaused: false,
      }
      pieces.push(piece)
      const fail = (error: unknown) => {
        piece.outcome = { error }
        closeFrom(index + 1)
      }
      try {
        piece.control = source({
          next(chunk) {
            add(piece, chunk)
            deliver()
          },
          end() {
            piece.outcome = {}
            deliver()
          },
          error(error) {
            fail(error)
            deliver()
          },
        })
      } catch (error) {
        fail(error)
      }
    }

    const startUpTo = (last: number) => {
      while (pieces.length <= last && pieces.length < startable && !next.done) {
        const source = next.value
        next = rest.next()
        start(source)
      }
    }

    /** Delivers chunks until the sink is full or the current piece has no more chunks. */
    const deliver = () => {
      try {
        while (!isPaused && !isOver) {
          if (current === pieces.length) return finish(sink.end)
          const piece = pieces[current]!
          const chunk = take(piece)
          if (chunk) {
            startUpTo(current + ahead)
            sink.next(chunk)
          } else if (!piece.outcome) {
            return
          } else if ('error' in piece.outcome) {
            const { error } = piece.outcome
            return finish(() => sink.error(error))
          } else {
            current += 1
            startUpTo(current)
            if (current < pieces.length) onNextPiece?.()
          }
        }
      } catch (error) {
        // Thrown by the sink, which may have been called from the end of another piece or by `resume`.
        finish(() => sink.error(error))
      }
    }

    startUpTo(0)
    deliver()
    return {
      pause() {
        isPaused = true
      },
      resume() {
        isPaused = false
        deliver()
      },
      close() {
        isOver = true
        closeFrom(0)
      },
    }
  }
}

function add(piece: Piece, chunk: SpeechChunk): void {
  piece.waiting.push(chunk)
  piece.waitingBytes += chunkSizeBytes(chunk)
  if (piece.isPaused || piece.waitingBytes < maxWaitingBytes) return
  piece.isPaused = true
  piece.control.pause()
}

function take(piece: Piece): SpeechChunk | undefined {
  const chunk = piece.waiting.shift()
  if (!chunk) return undefined
  piece.waitingBytes -= chunkSizeBytes(chunk)
  if (piece.isPaused && piece.waitingBytes < maxWaitingBytes) {
    piece.isPaused = false
    piece.control.resume()
  }
  return chunk
}
