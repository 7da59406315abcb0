import type { AudioEncoding } from '@parlando/core/wire'

/** Turns the samples of one utterance into bytes, without the header of a WAV file. */
export interface Encoder {
  push(samples: Float32Array): Uint8Array
  /** @returns the bytes that the encoder held back. */
  end(): Uint8Array
  /** Releases the encoder. Must be called after success and after failure. */
  close(): void
}

/** How audio is encoded. */
export interface AudioLayout {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
  /** The number of bits per second; only MP3 and OGG_OPUS use it. */
  bitRate: number
}
