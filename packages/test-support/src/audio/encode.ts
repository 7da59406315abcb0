import type { AudioEncoding } from '@parlando/core/audio'
import { createEncoderPool } from '../../../local-service/src/audio/encoding/encoder-pool.ts'

const pool = createEncoderPool()

/**
 * Encodes a sound as the local service does, without the header of a WAV file.
 * @param pcm 16 bits, mono.
 */
export async function encode(
  audioEncoding: AudioEncoding,
  sampleRateHertz: number,
  pcm: Buffer,
  bitRate = 128_000,
): Promise<Buffer> {
  const encoder = await pool.open({ audioEncoding, sampleRateHertz, bitRate })
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_value, index) => {
    return pcm.readInt16LE(2 * index) / 32_768
  })
  const file = Buffer.concat([encoder.push(samples), encoder.end()])
  encoder.close()
  return file
}

/**
 * Encodes MP3 as the local service does: at a constant bit rate, without a header in front of the frames.
 * @param pcm 16 bits, mono.
 */
export function encodeMp3(
  pcm: Buffer,
  { sampleRateHertz, bitRate }: { sampleRateHertz: number; bitRate?: number },
): Promise<Buffer> {
  return encode('MP3', sampleRateHertz, pcm, bitRate)
}
