import { createMp3Pool } from '../../../local-service/src/audio/encoding/mp3-encoder.ts'

const pool = createMp3Pool()

/**
 * Encodes MP3 as the local service does: at a constant bit rate, without a header in front of the frames.
 * @param pcm 16 bits, mono.
 */
export async function encodeMp3(
  pcm: Buffer,
  { sampleRateHertz, bitRate = 128_000 }: { sampleRateHertz: number; bitRate?: number },
): Promise<Buffer> {
  const encoder = await pool.open({ sampleRateHertz, bitRate })
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_value, index) => {
    return pcm.readInt16LE(2 * index) / 32_768
  })
  const frames = Buffer.concat([encoder.push(samples), encoder.end()])
  encoder.close()
  return frames
}
