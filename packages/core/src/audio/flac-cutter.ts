import {
  maxHeaderBytes,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
  streamInfoEnd,
} from './flac.ts'
import { HeldBytes } from './held-bytes.ts'

/**
 * Cuts a FLAC file in front of its frames, for decoders that lose a frame whose header is split between two pieces, and
 * so that a piece contains little sound. The bytes may be split anywhere.
 */
export interface FlacCutter {
  /** @returns what is in front of the first frame, and each frame whose end has arrived. */
  push(chunk: Uint8Array): Uint8Array[]
  /** @returns the last frames. */
  end(): Uint8Array[]
}

const markerBytes = 4
const metadataHeaderBytes = 4
/** Of 65,535 samples in 8 channels of 32 bits. Where no frame is found, pieces have this size. */
const maxFrameBytes = 2_200_000

/** Starts to cut one file. */
export function createFlacCutter(): FlacCutter {
  let info: StreamInfo | undefined
  const held = new HeldBytes()
  /** The start of the next block of metadata, after the marker. Then the end of the metadata. */
  let metadataAt = markerBytes
  let isLastBlock = false
  /** In `held`: no frame begins in front of it, except at 0. */
  let scanned = 0
  /** Number of samples in front of the next frame. Unknown for the first one: a recording of a stream may begin anywhere. */
  let nextStart: number | undefined

  const cutFrames = (blockSamples: number, isEnd: boolean): Buffer[] => {
    const { bytes } = held
    const frames: Buffer[] = []
    let frameAt = 0
    let at = bytes.indexOf(0xff, scanned)
    for (; at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (!isEnd && at + maxHeaderBytes > bytes.length) break
      const frame = readFrameHeader(bytes, at, blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (!frame || frame.start !== (nextStart ?? frame.start)) continue
      if (at > frameAt) frames.push(bytes.subarray(frameAt, at))
      nextStart = frame.start + frame.samples
      frameAt = at
    }
    scanned = (at < 0 ? bytes.length : at) - frameAt
    held.drop(frameAt)
    return frames
  }

  const takeAll = () => {
    scanned = 0
    const all = held.take()
    return all.length > 0 ? [all] : []
  }

  /** @returns whether `metadataAt` is the end of the metadata. */
  const passMetadata = (bytes: Buffer): boolean => {
    while (!isLastBlock && metadataAt + metadataHeaderBytes <= bytes.length) {
      isLastBlock = (bytes[metadataAt]! & 0x80) !== 0
      metadataAt += metadataHeaderBytes + bytes.readUIntBE(metadataAt + 1, 3)
    }
    return isLastBlock && bytes.length >= Math.max(metadataAt, streamInfoEnd)
  }

  const cut = (isEnd: boolean): Buffer[] => {
    const pieces: Buffer[] = []
    if (!info) {
      const { bytes } = held
      if (!passMetadata(bytes)) return []
      info = readStreamInfo(bytes)
      pieces.push(bytes.subarray(0, metadataAt))
      held.drop(metadataAt)
    }
    pieces.push(...cutFrames(info?.blockSamples ?? 0, isEnd))
    if (held.bytes.length > maxFrameBytes) pieces.push(...takeAll())
    return pieces
  }

  return {
    push(chunk) {
      held.add(chunk)
      return cut(false).map(toPlainBytes)
    },
    end: () => [...cut(true), ...takeAll()].map(toPlainBytes),
  }
}

/** Of a Buffer, `slice` copies nothing, but decoders rely on a copy. */
function toPlainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
