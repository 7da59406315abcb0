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
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.length - (bytes.length % bytesPerSample)
    for (let at = 0; at < end; at += bytesPerSample) {
      const sample = Math.round(bytes.readInt16LE(at) * factor)
      bytes.writeInt16LE(Math.max(-maxSample - 1, Math.min(maxSample, sample)), at)
    }
    rest = bytes.subarray(end)
    if (end > 0) yield bytes.subarray(0, end)
  }
}
