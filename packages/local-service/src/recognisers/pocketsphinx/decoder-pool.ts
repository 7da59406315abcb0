import type { PocketsphinxDecoder } from './pocketsphinx-decoder.ts'

/** Decoders with the same settings. The parent limits the number of concurrent utterances, and so of decoders. */
export interface DecoderPool {
  /** Whether its decoders must do with little processor time. */
  readonly isQuick: boolean
  /** The number of decoders in use. */
  readonly used: number
  acquire(): Promise<PocketsphinxDecoder>
  release(decoder: PocketsphinxDecoder): void
  /** Frees a decoder that failed, because it would also reject the next utterance. */
  discard(decoder: PocketsphinxDecoder): void
}

export function createDecoderPool(
  create: () => Promise<PocketsphinxDecoder>,
  { isQuick = false } = {},
): DecoderPool {
  const idle: PocketsphinxDecoder[] = []
  let used = 0
  return {
    isQuick,
    get used() {
      return used
    },
    async acquire() {
      used += 1
      try {
        return idle.pop() ?? (await create())
      } catch (error) {
        used -= 1
        throw error
      }
    },
    release(decoder) {
      used -= 1
      idle.push(decoder)
    },
    discard(decoder) {
      used -= 1
      decoder.close()
    },
  }
}
