import { wholeSamples } from '@parlando/core/audio'

const bytesPerSample = 2
const maxSample = 0x7fff

/**
 * Scales the amplitude of 16-bit PCM. Chunks may split a sample; the halves travel with the next chunk.
 * @param factor 0.5 is 6 dB below the original. Samples beyond full scale are clipped.
 */
export async function* applyGain(
  chunks: AsyncIterable<Uint8Array>,
  factor: number,
): AsyncGenerator<Uint8Array, void> {
  const whole = wholeSamples()
  for await (const chunk of chunks) {
    const bytes = Buffer.from(whole(chunk))
    for (let at = 0; at < bytes.length; at += bytesPerSample) {
      const sample = Math.round(bytes.readInt16LE(at) * factor)
      bytes.writeInt16LE(Math.max(-maxSample - 1, Math.min(maxSample, sample)), at)
    }
    if (bytes.length > 0) yield bytes
  }
}
