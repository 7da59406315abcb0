import { lineTooLong, type RequestName } from '../protocol-errors.ts'

const newline = 0x0a
const firstScratchBytes = 4 * 1024
const maxSpareBytes = 256 * 1024

/** Receives one line. The bytes from `start` to `end` are valid only until it returns. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void

/**
 * Holds a buffer that a reader no longer needs, for the next reader that has to assemble a line. The readers of one client
 * share it: of a thousand streams, few are in the middle of a line at any moment.
 */
export interface SpareBuffer {
  buffer?: Buffer
}

export interface LineReader {
  /** Takes bytes cut anywhere. */
  push(bytes: Buffer): void
  /** Takes the end of the input. Bytes after the last newline count as a line. */
  end(): void
}

/**
 * Splits bytes into lines, without their newlines, and skips empty lines.
 *
 * A line within one piece is not copied. A line that spans pieces is assembled in a buffer that all readers with the same
 * `spare` reuse. Concatenating strings and splitting them would be quadratic: every piece would scan the unfinished line
 * again.
 * @throws {ProtocolError} `LINE_TOO_LONG` above `maxLineBytes`, as soon as that many bytes have arrived.
 */
export function createLineReader(options: {
  /** Named by errors. */
  request: RequestName
  maxLineBytes: number
  spare: SpareBuffer
  onLine: OnLine
}): LineReader {
  const { request, maxLineBytes, spare, onLine } = options
  let scratch: Buffer | undefined
  let heldBytes = 0

  const hold = (bytes: Buffer, start: number, end: number): void => {
    const neededBytes = heldBytes + end - start
    if (neededBytes > maxLineBytes) {
      const problem = `a line in the response is longer than the limit of ${maxLineBytes} bytes`
      throw lineTooLong(request, problem)
    }
    if (!scratch) {
      scratch = spare.buffer
      spare.buffer = undefined
    }
    if (!scratch || neededBytes > scratch.length) scratch = grown(scratch, heldBytes, neededBytes)
    bytes.copy(scratch, heldBytes, start, end)
    heldBytes = neededBytes
  }

  const emitHeld = (): void => {
    const lineBytes = heldBytes
    heldBytes = 0
    onLine(scratch!, 0, lineBytes)
    if (scratch!.length > maxSpareBytes) return
    spare.buffer = scratch
    scratch = undefined
  }

  const finish = (bytes: Buffer, start: number, end: number): void => {
    if (heldBytes === 0 && end - start <= maxLineBytes) {
      if (end > start) onLine(bytes, start, end)
      return
    }
    hold(bytes, start, end)
    emitHeld()
  }

  return {
    push(bytes) {
      let start = 0
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        finish(bytes, start, end)
        start = end + 1
      }
      if (start < bytes.length) hold(bytes, start, bytes.length)
    },
    end() {
      if (heldBytes > 0) emitHeld()
    },
  }
}

function grown(scratch: Buffer | undefined, heldBytes: number, neededBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(
    Math.max(firstScratchBytes, neededBytes, (scratch?.length ?? 0) * 2),
  )
  scratch?.copy(larger, 0, 0, heldBytes)
  return larger
}
