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
): Promise<Buffer> {
  const encoder = await pool.open({ audioEncoding, sampleRateHertz, bitRate: 128_000 })
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_value, index) => {
    return pcm.readInt16LE(2 * index) / 32_768
  })
  const file = Buffer.concat([encoder.push(samples), encoder.end()])
  encoder.close()
  return file
}
