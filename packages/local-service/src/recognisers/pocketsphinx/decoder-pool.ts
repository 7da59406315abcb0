import type { PocketsphinxDecoder } from './pocketsphinx-decoder.ts'

/** Decoders with the same settings. The parent limits the number of concurrent utterances, and so of decoders. */
export interface DecoderPool {
  acquire(): Promise<PocketsphinxDecoder>
  release(decoder: PocketsphinxDecoder): void
  /** Frees a decoder that failed, because it would also reject the next utterance. */
  discard(decoder: PocketsphinxDecoder): void
}

export function createDecoderPool(create: () => Promise<PocketsphinxDecoder>): DecoderPool {
  const idle: PocketsphinxDecoder[] = []
  return {
    acquire: async () => idle.pop() ?? (await create()),
    release: (decoder) => void idle.push(decoder),
    discard: (decoder) => decoder.close(),
  }
}
