import { completeFile, writeWavHeader } from '@parlando/core/audio'
import type { AudioLayout } from './encoder-types.ts'

/** Adds the WAV headers of a stream. By the protocol, LINEAR16 has one in every chunk, WAV only in the first. */
export function withChunkHeader(
  layout: AudioLayout,
  body: Uint8Array,
  chunkIndex: number,
): Uint8Array {
  const { audioEncoding, sampleRateHertz } = layout
  if (audioEncoding === 'LINEAR16') return withWavHeader(body, sampleRateHertz, body.length)
  // The length is unset, because it is not known when the first chunk is sent.
  if (audioEncoding === 'WAV' && chunkIndex === 0) return withWavHeader(body, sampleRateHertz)
  return body
}

/** Adds the WAV header to complete audio if the encoding has one, and the length to the headers of MP3 and FLAC. */
export function withFileHeader(
  { audioEncoding, sampleRateHertz }: AudioLayout,
  body: Uint8Array,
): Uint8Array {
  const isWav = audioEncoding === 'LINEAR16' || audioEncoding === 'WAV'
  return isWav
    ? withWavHeader(body, sampleRateHertz, body.length)
    : completeFile(audioEncoding, body)
}

function withWavHeader(body: Uint8Array, sampleRateHertz: number, dataBytes?: number): Uint8Array {
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes }), body])
}
