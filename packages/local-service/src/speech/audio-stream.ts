import { type AudioLayout, openEncoder } from './encoder.ts'
import { createResampler } from './resampler.ts'

// Short enough that the first chunk of a phrase leaves before the last is encoded.
const chunkSeconds = 0.25

/**
 * Brings samples into the layout that was asked for, chunk by chunk.
 * @param utterance mono samples, −1…1, in `inputRateHertz`.
 * @returns bytes without the headers of a file; never an empty chunk.
 */
export async function* encodeUtterance(
  utterance: AsyncIterable<Float32Array>,
  inputRateHertz: number,
  layout: AudioLayout,
): AsyncGenerator<Uint8Array, void> {
  const outputRateHertz = layout.sampleRateHertz
  const resampler = await createResampler({ inputRateHertz, outputRateHertz })
  const encoder = await openEncoder(layout)
  const chunkSamples = Math.round(inputRateHertz * chunkSeconds)
  try {
    for await (const samples of utterance) {
      for (let start = 0; start < samples.length; start += chunkSamples) {
        const piece = samples.subarray(start, start + chunkSamples)
        const bytes = encoder.push(resampler.push(piece))
        if (bytes.length > 0) yield bytes
      }
    }
    const rest = [encoder.push(resampler.end()), encoder.end()]
    const last = Buffer.concat(rest)
    if (last.length > 0) yield last
  } finally {
    encoder.close()
    resampler.close()
  }
}
