import { InputError } from '../../errors.ts'
import type { Usage } from './usage.ts'

/** A part of a longer stream. `SpeechStream` is one. */
export interface PieceStream<Chunk extends { audio: Uint8Array }> extends AsyncIterable<Chunk> {
  readonly usage: Usage | undefined
  readonly firstAudioMs: number | undefined
}

/** Makes a piece's stream, which the signal must end at any time. What it throws is that piece's failure. */
export type StartPiece<Chunk extends { audio: Uint8Array }> = (
  signal: AbortSignal,
) => PieceStream<Chunk>

export interface JoinedStream<Chunk> extends AsyncIterable<Chunk> {
  /** The sum of what the service counted for each piece; complete at the end. */
  readonly usage: Usage | undefined
  /** That of the first piece. */
  readonly firstAudioMs: number | undefined
  /** Leaving the loop early ends every piece, and waits for that. */
  [Symbol.asyncIterator](): AbortableIterator<Chunk>
}

interface AbortableIterator<Chunk> extends AsyncIterator<Chunk, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
}

// How much of one piece may wait; it is not read further then. With one piece ahead, a stream holds up to twice this.
export const maxWaitingBytes = 1024 * 1024
// A chunk without audio costs memory too.
const bytesBesideAudio = 256

/**
 * Joins streams, each of which is started shortly before its turn: when a piece gives its first chunk, the next `ahead`
 * pieces are started (earlier, they would hold up that first chunk) and read until 1 MiB of each waits.
 *
 * A piece that fails ends those after it at once; its error is thrown in its turn, after the audio that comes before.
 * @param ahead 0 starts a piece when the one before has ended.
 */
export function joinStreams<Chunk extends { audio: Uint8Array }>(
  starts: readonly StartPiece<Chunk>[],
  ahead = 1,
): JoinedStream<Chunk> {
  const pieces: Piece<Chunk>[] = []
  let isConsumed = false
  let mayStart = true

  const endFrom = async (index: number) => {
    mayStart = false
    await Promise.all(pieces.slice(index).map((piece) => piece.close()))
  }

  const startUpTo = (last: number) => {
    while (mayStart && pieces.length <= Math.min(last, starts.length - 1)) {
      const next = pieces.length + 1
      pieces.push(startPiece(starts[pieces.length]!, () => void endFrom(next)))
    }
  }

  async function* deliver(): AsyncGenerator<Chunk, undefined> {
    try {
      for (let index = 0; index < starts.length; index++) {
        startUpTo(index)
        for await (const chunk of pieces[index]?.chunks() ?? []) {
          startUpTo(index + ahead)
          yield chunk
        }
      }
      return undefined
    } finally {
      await endFrom(0)
    }
  }

  return {
    get usage() {
      return pieces.reduce<Usage | undefined>((sum, piece) => addUsage(sum, piece.usage), undefined)
    },
    get firstAudioMs() {
      return pieces[0]?.firstAudioMs
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) throw new InputError('A speech stream can be consumed once; make a new one')
      isConsumed = true
      const chunks = deliver()
      return {
        next: () => chunks.next(),
        async return() {
          // A generator alone would first wait for the chunk that is being waited for.
          await endFrom(0)
          await chunks.return(undefined)
          return { done: true, value: undefined }
        },
      }
    },
  }
}

interface Piece<Chunk> {
  readonly usage: Usage | undefined
  readonly firstAudioMs: number | undefined
  /** What has been read and will be; ends early when the piece is closed. */
  chunks(): AsyncGenerator<Chunk, void>
  /** Ends it and waits until it has ended. */
  close(): Promise<void>
}

/** Starts a piece and reads it until `maxWaitingBytes` wait to be taken. */
function startPiece<Chunk extends { audio: Uint8Array }>(
  start: StartPiece<Chunk>,
  onFailure: () => void,
): Piece<Chunk> {
  const left = new AbortController()
  const waiting: Chunk[] = []
  let waitingBytes = 0
  let stream: PieceStream<Chunk> | undefined
  let outcome: { error?: unknown } | undefined
  // Reader and taker never wait at the same time: one needs a full queue, the other an empty one.
  let wake = () => {}
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  const read = async () => {
    stream = start(left.signal)
    for await (const chunk of stream) {
      waiting.push(chunk)
      waitingBytes += sizeBytes(chunk)
      wake()
      while (waitingBytes >= maxWaitingBytes && !left.signal.aborted) await change()
      if (left.signal.aborted) return
    }
  }
  const settle = (next: { error?: unknown }) => {
    outcome = next
    wake()
  }
  const ended = read().then(
    () => settle({}),
    (error) => {
      settle({ error })
      onFailure()
    },
  )

  return {
    get usage() {
      return stream?.usage
    },
    get firstAudioMs() {
      return stream?.firstAudioMs
    },
    async *chunks() {
      while (!left.signal.aborted) {
        const chunk = waiting.shift()
        if (chunk) {
          waitingBytes -= sizeBytes(chunk)
          wake()
          yield chunk
        } else if (!outcome) await change()
        else if ('error' in outcome) throw outcome.error
        else return
      }
    },
    close() {
      left.abort()
      wake()
      return ended
    },
  }
}

function sizeBytes(chunk: { audio: Uint8Array }): number {
  return chunk.audio.length + bytesBesideAudio
}

function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!sum || !usage) return sum ?? usage
  const processedCharactersCount = sum.processedCharactersCount + usage.processedCharactersCount
  return { processedCharactersCount, modelId: sum.modelId ?? usage.modelId }
}
