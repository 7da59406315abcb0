import type { FileJoiner } from './incremental.ts'
import { readMp3Frame } from './mp3.ts'
import { id3Bytes, id3HeaderBytes, isInfoFrame } from './mp3-info.ts'

/**
 * Joins MP3 files. MP3 frames concatenate, since the first frame of a file does not refer to an earlier one. The joiner
 * removes the ID3 tag and the info frame at the start of every piece: they describe only that piece.
 */
export function createMp3Joiner(): FileJoiner {
  let held: Buffer = Buffer.alloc(0)
  let skip = 0
  let isStart = true

  /** @returns the audio from the first frame on, as soon as that frame is complete. */
  const takeStart = (bytes: Buffer): Uint8Array => {
    held = bytes.subarray(Math.min(skip, bytes.length))
    skip -= bytes.length - held.length
    if (skip > 0 || held.length < id3HeaderBytes) return new Uint8Array()
    const tagBytes = id3Bytes(held)
    if (tagBytes > 0) {
      skip = tagBytes
      return takeStart(held)
    }
    const frame = readMp3Frame(held.readUInt32BE(0))
    if (frame && held.length < frame.bytes) return new Uint8Array()
    isStart = false
    const isInfo = frame && isInfoFrame(held, frame)
    return isInfo ? held.subarray(frame.bytes) : held
  }

  const endPiece = (): Uint8Array => {
    const rest = isStart ? held : new Uint8Array()
    held = Buffer.alloc(0)
    skip = 0
    isStart = true
    return rest
  }

  return {
    push: (chunk) => (isStart ? takeStart(Buffer.concat([held, chunk])) : chunk),
    nextPiece: endPiece,
    end: endPiece,
  }
}
