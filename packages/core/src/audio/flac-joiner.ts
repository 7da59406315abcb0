import type { FileJoiner } from './file-joiner.ts'
import {
  type Frame,
  headerChecksum,
  maxHeaderBytes,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
  streamInfoEnd,
} from './flac.ts'

/** Shorter blocks are only valid at the end of a file. Source: RFC 9639, 8.2. */
const minBlockSamples = 16
/** Larger than any frame of 16 bits: such a frame has up to 65,535 samples in two channels. */
const maxFrameBytes = 512 * 1024
const lastBlockFlag = 0x80
const blockHeaderBytes = 4

/**
 * Joins FLAC files: one STREAMINFO block, and sample numbers that continue.
 *
 * The last block of each piece is usually shorter than the others, so the joined file has variable block sizes, and each
 * frame contains the number of its first sample. The joiner rewrites the frame headers and checksums, not the audio. A
 * frame waits until the next one starts. Bytes that are not FLAC pass through unchanged. Source: RFC 9639, 8 and 9.
 */
export function createFlacJoiner(): FileJoiner {
  let isFlac = true
  let hasHead = false
  let writtenSamples = 0
  let piece = startPiece()

  const joinedHead = (bytes: Buffer): Uint8Array => {
    if (hasHead) return new Uint8Array()
    hasHead = true
    return writeHead(bytes)
  }

  const rewrite = (frame: Buffer, { blockSamples }: StreamInfo): Uint8Array => {
    const header = readFrameHeader(frame, 0, blockSamples)!
    const rewritten = withStart(frame, header, writtenSamples)
    writtenSamples += header.samples
    return rewritten
  }

  /** Finds the frames in `piece.held`. @returns those that are complete; the last one waits. */
  const takeFrames = (info: StreamInfo): Uint8Array[] => {
    const { held } = piece
    const frames: Uint8Array[] = []
    let frameStart = 0
    let at = held.indexOf(0xff, piece.searched)
    for (; at >= 0; at = held.indexOf(0xff, at + 1)) {
      const frame = readFrameHeader(held, at, info.blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (frame?.start === piece.samples) {
        if (piece.samples > 0) frames.push(rewrite(held.subarray(frameStart, at), info))
        frameStart = at
        piece.samples += frame.samples
        piece.lastSamples = frame.samples
      } else if (at + maxHeaderBytes > held.length) break
    }
    piece.searched = (at < 0 ? held.length : at) - frameStart
    piece.held = Buffer.from(held.subarray(frameStart))
    return frames
  }

  const takeLastFrame = (): Uint8Array =>
    isFlac && piece.info && piece.samples > 0 ? rewrite(piece.held, piece.info) : piece.held

  return {
    push(chunk) {
      if (!isFlac) return chunk
      piece.held = Buffer.concat([piece.held, chunk])
      const written: Uint8Array[] = []
      if (!piece.info && piece.held.length >= streamInfoEnd) {
        piece.info = readStreamInfo(piece.held)
        if (piece.info) {
          written.push(joinedHead(piece.held))
          piece.hasMoreMetadata = (piece.held[4]! & lastBlockFlag) === 0
          piece.held = piece.held.subarray(streamInfoEnd)
        }
        isFlac = piece.info !== undefined
      }
      if (piece.info && skipMetadata(piece)) written.push(...takeFrames(piece.info))
      if (isFlac && piece.held.length <= maxFrameBytes) return Buffer.concat(written)
      written.push(piece.held)
      isFlac = false
      piece.held = Buffer.alloc(0)
      return Buffer.concat(written)
    },
    nextPiece() {
      // Without its last frame, if that is too short to be followed by another one: it has less than 1 ms of audio.
      const last = piece.lastSamples < minBlockSamples ? new Uint8Array() : takeLastFrame()
      piece = startPiece()
      return last
    },
    end: takeLastFrame,
  }
}

interface Piece {
  info?: StreamInfo
  hasMoreMetadata: boolean
  /** Bytes of the current metadata block that have not arrived. */
  skip: number
  /** The samples of the frames that have started. */
  samples: number
  lastSamples: number
  /** Bytes that wait, from the start of a frame. */
  held: Buffer
  /** The part of `held` in which no other frame starts. */
  searched: number
}

function startPiece(): Piece {
  return {
    hasMoreMetadata: false,
    skip: 0,
    samples: 0,
    lastSamples: minBlockSamples,
    held: Buffer.alloc(0),
    searched: 0,
  }
}

/** @returns whether the frames have been reached. */
function skipMetadata(piece: Piece): boolean {
  for (;;) {
    const skipped = Math.min(piece.skip, piece.held.length)
    piece.skip -= skipped
    piece.held = piece.held.subarray(skipped)
    if (piece.skip > 0) return false
    if (!piece.hasMoreMetadata) return true
    if (piece.held.length < blockHeaderBytes) return false
    piece.hasMoreMetadata = (piece.held[0]! & lastBlockFlag) === 0
    piece.skip = blockHeaderBytes + piece.held.readUIntBE(1, 3)
  }
}

/** The head of a file with variable block sizes, whose length is unknown, from the head of another file. */
function writeHead(file: Buffer): Buffer {
  const head = Buffer.from(file.subarray(0, streamInfoEnd))
  head[4] = lastBlockFlag
  head.writeUInt16BE(minBlockSamples, 8)
  // Unknown: the sizes of the frames, the number of samples (the last 36 bits before the MD5 sum) and the MD5 sum.
  head.fill(0, 12, 18)
  head[21] = head[21]! & 0xf0
  head.fill(0, 22, streamInfoEnd)
  return head
}

/** Rewrites a frame for a stream with variable block sizes. @param start the number of its first sample. */
function withStart(frame: Buffer, { numberEnd, headerEnd }: Frame, start: number): Buffer {
  const header = Buffer.concat([
    Buffer.of(0xff, 0xf9),
    frame.subarray(2, 4),
    writeNumber(start),
    frame.subarray(numberEnd, headerEnd),
  ])
  header[header.length - 1] = headerChecksum(header.subarray(0, -1))
  const rewritten = Buffer.concat([header, frame.subarray(headerEnd)])
  rewritten.writeUInt16BE(frameChecksum(rewritten.subarray(0, -2)), rewritten.length - 2)
  return rewritten
}

/** Writes a number of up to 36 bits in the UTF-8 coding of FLAC. Source: RFC 9639, 9.1.5. */
function writeNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value)
  // Each byte after the first contains 6 bits. The first contains its length as ones, a zero and the other bits.
  const tail: number[] = []
  let rest = value
  do {
    tail.unshift(0x80 | (rest % 64))
    rest = Math.floor(rest / 64)
  } while (rest >= 2 ** (6 - tail.length))
  const marker = 0xff & ~(0xff >> (tail.length + 1))
  return Buffer.of(marker | rest, ...tail)
}

let table: Uint16Array | undefined

/** CRC-16 with the polynomial 0x8005. Source: RFC 9639, 9.3. */
function frameChecksum(bytes: Uint8Array): number {
  table ??= Uint16Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << 8
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 0x8000 ? (remainder << 1) ^ 0x8005 : remainder << 1
    }
    return remainder
  })
  let sum = 0
  for (const byte of bytes) sum = ((sum << 8) & 0xffff) ^ table[(sum >>> 8) ^ byte]!
  return sum
}
