import { type AudioLayout, openEncoder } from './encoder.ts'
import { createResampler } from './resampler.ts'

// The first chunk is the shortest, since all of it must be made before any of it is heard.
const firstChunkSeconds = 0.1
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
  const phrases = utterance[Symbol.asyncIterator]()
  // Asked for first, so that the voice speaks on its thread while resampler and encoder are made ready here.
  let next = phrases.next()
  const outputRateHertz = layout.sampleRateHertz
  const resampler = await createResampler({ inputRateHertz, outputRateHertz })
  const encoder = await openEncoder(layout)
  let seconds = firstChunkSeconds
  try {
    for (let phrase = await next; !phrase.done; phrase = await next) {
      for (const piece of pieces(phrase.value)) {
        const bytes = encoder.push(resampler.push(piece))
        if (bytes.length > 0) yield bytes
      }
      next = phrases.next()
    }
    const last = Buffer.concat([encoder.push(resampler.end()), encoder.end()])
    if (last.length > 0) yield last
  } finally {
    encoder.close()
    resampler.close()
    await phrases.return?.()
  }

  function* pieces(samples: Float32Array): Generator<Float32Array, void> {
    for (let start = 0; start < samples.length; ) {
      const end = start + Math.round(inputRateHertz * seconds)
      yield samples.subarray(start, end)
      start = end
      seconds = chunkSeconds
    }
  }
}
