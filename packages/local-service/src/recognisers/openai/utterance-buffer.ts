import { limitUtterance } from '../recogniser.ts'

/** The samples of an utterance, for a recogniser that takes them in one piece. */
export interface UtteranceBuffer {
  /** @throws {EngineError} if the utterance is too long. */
  push(samples: Int16Array): void
  /** @returns all samples as 16-bit little-endian PCM. */
  toBytes(): Uint8Array
}

export function createUtteranceBuffer(): UtteranceBuffer {
  const pieces: Buffer[] = []
  let length = 0
  return {
    push(samples) {
      length += samples.length
      limitUtterance(length)
      // A copy, because the caller may reuse its memory.
      pieces.push(toBytes(samples))
    },
    toBytes: () => Buffer.concat(pieces),
  }
}

function toBytes({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength))
}
