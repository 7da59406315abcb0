import {
  maxHeaderBytes,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
  streamInfoEnd,
} from './flac.ts'

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

const metadataHeaderBytes = 4
/** Of 65,535 samples in 8 channels of 32 bits. Where no frame is found, pieces have this size. */
const maxFrameBytes = 2_200_000

/** Starts to cut one file. */
export function createFlacCutter(): FlacCutter {
  let info: StreamInfo | undefined
  let held: Buffer = Buffer.alloc(0)
  /** In `held`: no frame begins in front of it, except at 0. */
  let scanned = 0
  /** Number of samples in front of the next frame. Unknown for the first one: a recording of a stream may begin anywhere. */
  let nextStart: number | undefined

  const cutFrames = (blockSamples: number, isEnd: boolean): Buffer[] => {
    const frames: Buffer[] = []
    let frameAt = 0
    let at = held.indexOf(0xff, scanned)
    for (; at >= 0; at = held.indexOf(0xff, at + 1)) {
      if (!isEnd && at + maxHeaderBytes > held.length) break
      const frame = readFrameHeader(held, at, blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (!frame || frame.start !== (nextStart ?? frame.start)) continue
      if (at > frameAt) frames.push(held.subarray(frameAt, at))
      nextStart = frame.start + frame.samples
      frameAt = at
    }
    scanned = (at < 0 ? held.length : at) - frameAt
    held = held.subarray(frameAt)
    return frames
  }

  const takeAll = () => {
    const all = held
    held = Buffer.alloc(0)
    scanned = 0
    return all.length > 0 ? [all] : []
  }

  const cut = (isEnd: boolean): Buffer[] => {
    const pieces: Buffer[] = []
    if (!info) {
      const metadataEnd = findMetadataEnd(held)
      if (metadataEnd === undefined) return []
      info = readStreamInfo(held)
      pieces.push(held.subarray(0, metadataEnd))
      held = held.subarray(metadataEnd)
    }
    pieces.push(...cutFrames(info?.blockSamples ?? 0, isEnd))
    if (held.length > maxFrameBytes) pieces.push(...takeAll())
    return pieces
  }

  return {
    push(chunk) {
      held = Buffer.concat([held, chunk])
      return cut(false).map(toPlainBytes)
    },
    end: () => [...cut(true), ...takeAll()].map(toPlainBytes),
  }
}

/** Of a Buffer, `slice` copies nothing, but decoders rely on a copy. */
function toPlainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** @returns `undefined` if the metadata continues after these bytes. */
function findMetadataEnd(file: Buffer): number | undefined {
  if (file.length < streamInfoEnd) return undefined
  for (let at = metadataHeaderBytes; at + metadataHeaderBytes <= file.length; ) {
    const isLast = (file[at]! & 0x80) !== 0
    at += metadataHeaderBytes + file.readUIntBE(at + 1, 3)
    if (isLast) return at <= file.length ? at : undefined
  }
  return undefined
}
