import { ProtocolError } from './errors.ts'

const newline = 0x0a

export interface NdjsonParser {
  /** Takes bytes cut anywhere. @returns the values of the lines that they complete, in order. */
  push(bytes: Uint8Array): Generator<unknown, void>
  /** Takes the end of the input. @returns the value of a last line without a newline, if there is one. */
  end(): Generator<unknown, void>
}

/**
 * Reads newline-delimited JSON from bytes; blank lines are passed over.
 * @throws {ProtocolError} `LINE_TOO_LONG` above `maxLineBytes`, `BAD_ANSWER` for a line that is not JSON;
 *   after either, the parser is of no more use.
 */
export function createNdjsonParser(options: { maxLineBytes: number }): NdjsonParser {
  const { maxLineBytes } = options
  // Pieces of the unfinished line are kept apart and joined once: joining at every read is quadratic.
  let pieces: Uint8Array[] = []
  let pendingBytes = 0
  let lineNumber = 0

  const keep = (piece: Uint8Array): void => {
    pendingBytes += piece.length
    if (pendingBytes > maxLineBytes) {
      throw new ProtocolError(
        `Line ${lineNumber + 1} of the answer is longer than the limit of ${maxLineBytes} bytes`,
        { code: 'LINE_TOO_LONG' },
      )
    }
    if (piece.length > 0) pieces.push(piece)
  }

  const finishLine = (): string => {
    const line = pieces.length === 1 ? asBuffer(pieces[0]!) : Buffer.concat(pieces)
    pieces = []
    pendingBytes = 0
    lineNumber += 1
    return line.toString('utf8').trim()
  }

  const parseLine = (line: string): unknown => {
    try {
      return JSON.parse(line)
    } catch {
      throw new ProtocolError(`Line ${lineNumber} of the answer is not JSON`, {
        code: 'BAD_ANSWER',
      })
    }
  }

  return {
    *push(bytes) {
      let start = 0
      for (;;) {
        const end = bytes.indexOf(newline, start)
        if (end === -1) break
        keep(bytes.subarray(start, end))
        start = end + 1
        const line = finishLine()
        if (line !== '') yield parseLine(line)
      }
      keep(bytes.subarray(start))
    },
    *end() {
      const line = finishLine()
      if (line !== '') yield parseLine(line)
    },
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
