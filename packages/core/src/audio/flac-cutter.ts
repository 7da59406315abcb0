import {
  maxHeaderBytes,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
  streamInfoEnd,
} from './flac.ts'
import { HeldBytes } from './held-bytes.ts'

const markerBytes = 4
const metadataHeaderBytes = 4
/** Of 65,535 samples in 8 channels of 32 bits. Where no frame is found, pieces have this size. */
const maxFrameBytes = 2_200_000

/**
 * Cuts a FLAC file in front of its frames, for decoders that lose a frame whose header is split between two pieces, and
 * so that a piece contains little sound. The bytes may be split anywhere.
 */
export class FlacCutter {
  readonly #held = new HeldBytes()
  #info: StreamInfo | undefined
  /** The start of the next block of metadata, after the marker. Then the end of the metadata. */
  #metadataAt = markerBytes
  #isLastBlock = false
  /** In `held`: no frame begins in front of it, except at 0. */
  #scanned = 0
  /** Number of samples in front of the next frame. Unknown for the first one: a recording of a stream may begin anywhere. */
  #nextStart: number | undefined

  /** @returns what is in front of the first frame, and each frame whose end has arrived. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#held.add(chunk)
    return this.#cut(false).map(toPlainBytes)
  }

  /** @returns the last frames. */
  end(): Uint8Array[] {
    return [...this.#cut(true), ...this.#takeAll()].map(toPlainBytes)
  }

  #cut(isEnd: boolean): Buffer[] {
    const pieces: Buffer[] = []
    if (!this.#info) {
      const { bytes } = this.#held
      if (!this.#passMetadata(bytes)) return []
      this.#info = readStreamInfo(bytes)
      pieces.push(bytes.subarray(0, this.#metadataAt))
      this.#held.drop(this.#metadataAt)
    }
    pieces.push(...this.#cutFrames(this.#info?.blockSamples ?? 0, isEnd))
    if (this.#held.bytes.length > maxFrameBytes) pieces.push(...this.#takeAll())
    return pieces
  }

  /** @returns whether `#metadataAt` is the end of the metadata. */
  #passMetadata(bytes: Buffer): boolean {
    while (!this.#isLastBlock && this.#metadataAt + metadataHeaderBytes <= bytes.length) {
      this.#isLastBlock = (bytes[this.#metadataAt]! & 0x80) !== 0
      this.#metadataAt += metadataHeaderBytes + bytes.readUIntBE(this.#metadataAt + 1, 3)
    }
    return this.#isLastBlock && bytes.length >= Math.max(this.#metadataAt, streamInfoEnd)
  }

  #cutFrames(blockSamples: number, isEnd: boolean): Buffer[] {
    const { bytes } = this.#held
    const frames: Buffer[] = []
    let frameAt = 0
    let at = bytes.indexOf(0xff, this.#scanned)
    for (; at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (!isEnd && at + maxHeaderBytes > bytes.length) break
      const frame = readFrameHeader(bytes, at, blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (!frame || frame.start !== (this.#nextStart ?? frame.start)) continue
      if (at > frameAt) frames.push(bytes.subarray(frameAt, at))
      this.#nextStart = frame.start + frame.samples
      frameAt = at
    }
    this.#scanned = (at < 0 ? bytes.length : at) - frameAt
    this.#held.drop(frameAt)
    return frames
  }

  #takeAll(): Buffer[] {
    this.#scanned = 0
    const all = this.#held.take()
    return all.length > 0 ? [all] : []
  }
}

/** Of a Buffer, `slice` copies nothing, but decoders rely on a copy. */
function toPlainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
