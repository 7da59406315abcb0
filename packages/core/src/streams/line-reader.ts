import { ProtocolError } from '../errors.ts'

const newline = 0x0a
const firstScratchBytes = 4 * 1024
const maxSpareBytes = 256 * 1024

// The memory in which a line was put together, kept for the reader that needs it next: of a thousand streams, few are
// in the middle of a line at any moment.
let spare: Buffer | undefined

/** Sees one line; the bytes from `start` to `end` are only good until it returns. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void

export interface LineReader {
  /** Takes bytes cut anywhere. */
  push(bytes: Buffer): void
  /** Takes the end of the input; what stands after the last newline is a line as well. */
  end(): void
}

/**
 * Cuts bytes into lines, without their newlines; empty lines are passed over.
 *
 * A line that lies within one piece is not copied. One that spans pieces is put together in memory that is used again
 * for the next, be it of another reader: adding text to text and splitting it would look at the unfinished line again
 * with every piece.
 * @throws {ProtocolError} `LINE_TOO_LONG` above `maxLineBytes`, as soon as so much has come.
 */
export function createLineReader(options: { maxLineBytes: number; onLine: OnLine }): LineReader {
  const { maxLineBytes, onLine } = options
  let scratch: Buffer | undefined
  let heldBytes = 0

  const hold = (bytes: Buffer, start: number, end: number): void => {
    const neededBytes = heldBytes + end - start
    if (neededBytes > maxLineBytes) {
      throw new ProtocolError(`A line of the answer is longer than ${maxLineBytes} bytes`, {
        code: 'LINE_TOO_LONG',
      })
    }
    if (!scratch) {
      scratch = spare
      spare = undefined
    }
    if (!scratch || neededBytes > scratch.length) scratch = grown(scratch, heldBytes, neededBytes)
    bytes.copy(scratch, heldBytes, start, end)
    heldBytes = neededBytes
  }

  const giveHeld = (): void => {
    const lineBytes = heldBytes
    heldBytes = 0
    onLine(scratch!, 0, lineBytes)
    if (scratch!.length > maxSpareBytes) return
    spare = scratch
    scratch = undefined
  }

  const finish = (bytes: Buffer, start: number, end: number): void => {
    if (heldBytes === 0 && end - start <= maxLineBytes) {
      if (end > start) onLine(bytes, start, end)
      return
    }
    hold(bytes, start, end)
    giveHeld()
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
      if (heldBytes > 0) giveHeld()
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
