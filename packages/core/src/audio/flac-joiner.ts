import {
  type FlacFrame,
  headerChecksum,
  maxHeaderBytes,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
  streamInfoEnd,
} from './flac.ts'
import { HeldBytes } from './held-bytes.ts'
import type { FileJoiner } from './incremental.ts'

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
export class FlacJoiner implements FileJoiner {
  #isFlac = true
  #hasHead = false
  #writtenSamples = 0
  #piece = new Piece()

  push(chunk: Uint8Array): Uint8Array {
    if (!this.#isFlac) return chunk
    const piece = this.#piece
    piece.held.add(chunk)
    const written: Uint8Array[] = []
    if (!piece.info && piece.held.bytes.length >= streamInfoEnd) {
      const head = piece.held.bytes
      this.#isFlac = piece.takeStreamInfo()
      if (this.#isFlac) written.push(this.#joinedHead(head))
    }
    if (piece.info && piece.skipMetadata()) {
      for (const frame of piece.takeFrames()) written.push(this.#rewrite(frame, piece.info))
    }
    if (this.#isFlac && piece.held.bytes.length <= maxFrameBytes) return Buffer.concat(written)
    this.#isFlac = false
    written.push(piece.held.take())
    return Buffer.concat(written)
  }

  nextPiece(): Uint8Array {
    // Without its last frame, if that is too short to be followed by another one: it has less than 1 ms of audio.
    const isTooShort = this.#piece.lastSamples < minBlockSamples
    const last = isTooShort ? new Uint8Array() : this.end()
    this.#piece = new Piece()
    return last
  }

  /** @returns the last frame. */
  end(): Uint8Array {
    const { info, samples, held } = this.#piece
    return this.#isFlac && info && samples > 0 ? this.#rewrite(held.bytes, info) : held.bytes
  }

  #joinedHead(bytes: Buffer): Uint8Array {
    if (this.#hasHead) return new Uint8Array()
    this.#hasHead = true
    return writeHead(bytes)
  }

  #rewrite(frame: Buffer, { blockSamples }: StreamInfo): Uint8Array {
    const header = readFrameHeader(frame, 0, blockSamples)!
    const rewritten = withStart(frame, header, this.#writtenSamples)
    this.#writtenSamples += header.samples
    return rewritten
  }
}

/** One of the joined files, while it arrives. */
class Piece {
  info: StreamInfo | undefined
  /** Bytes that wait, from the start of a frame. */
  readonly held = new HeldBytes()
  /** The samples of the frames that have started. */
  samples = 0
  lastSamples = minBlockSamples
  #hasMoreMetadata = false
  /** Bytes of the current metadata block that have not arrived. */
  #skip = 0
  /** The part of `held` in which no other frame starts. */
  #searched = 0

  /** @returns whether the file is FLAC. */
  takeStreamInfo(): boolean {
    const { bytes } = this.held
    this.info = readStreamInfo(bytes)
    if (!this.info) return false
    this.#hasMoreMetadata = (bytes[4]! & lastBlockFlag) === 0
    this.held.drop(streamInfoEnd)
    return true
  }

  /** @returns whether the frames have been reached. */
  skipMetadata(): boolean {
    for (;;) {
      const skipped = Math.min(this.#skip, this.held.bytes.length)
      this.#skip -= skipped
      this.held.drop(skipped)
      if (this.#skip > 0) return false
      if (!this.#hasMoreMetadata) return true
      const { bytes } = this.held
      if (bytes.length < blockHeaderBytes) return false
      this.#hasMoreMetadata = (bytes[0]! & lastBlockFlag) === 0
      this.#skip = blockHeaderBytes + bytes.readUIntBE(1, 3)
    }
  }

  /** @returns the frames that are complete; the last one waits. */
  takeFrames(): Buffer[] {
    const held = this.held.bytes
    const frames: Buffer[] = []
    let frameStart = 0
    let at = held.indexOf(0xff, this.#searched)
    for (; at >= 0; at = held.indexOf(0xff, at + 1)) {
      const frame = readFrameHeader(held, at, this.info!.blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (frame?.start === this.samples) {
        if (this.samples > 0) frames.push(held.subarray(frameStart, at))
        frameStart = at
        this.samples += frame.samples
        this.lastSamples = frame.samples
      } else if (at + maxHeaderBytes > held.length) break
    }
    this.#searched = (at < 0 ? held.length : at) - frameStart
    this.held.drop(frameStart)
    return frames
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
function withStart(frame: Buffer, { numberEnd, headerEnd }: FlacFrame, start: number): Buffer {
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
