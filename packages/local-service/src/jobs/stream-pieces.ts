/** A part of a file that is kept in pieces. */
export interface PiecesToStream {
  pieceBytes: readonly number[]
  start: number
  /** The first byte that is not wanted. */
  end: number
  /** @returns nothing if the piece is missing. */
  read(piece: number): Promise<Buffer | undefined>
  /** Ends the response so that its reader notices that it is not whole. */
  abort(controller: ReadableStreamDefaultController<Uint8Array>, reason: Error): void
}

/** Reads only the pieces that the part needs, as fast as it is read. */
export function streamPieces(options: PiecesToStream): ReadableStream<Uint8Array> {
  const { pieceBytes, start, end, read, abort } = options
  let next = 0
  /** The place of the next piece in the file. */
  let position = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (next < pieceBytes.length && position + pieceBytes[next]! <= start) {
          position += pieceBytes[next++]!
        }
        if (next === pieceBytes.length || position >= end) return controller.close()
        const piece = await read(next++).catch(() => undefined)
        if (!piece) return abort(controller, new Error('A part of the audio cannot be read'))
        controller.enqueue(piece.subarray(Math.max(0, start - position), end - position))
        position += piece.length
      },
    },
    { highWaterMark: 0 },
  )
}
