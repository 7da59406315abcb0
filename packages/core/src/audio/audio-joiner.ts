import type { AudioEncoding } from '../wire/audio-config.ts'
import { isPcm16 } from './encodings.ts'
import { readWavHeader, startsWithRiff, writeWavHeader } from './wav.ts'

/** Makes chunks one file. */
export interface AudioJoiner {
  /** @returns the bytes to append to the whole; empty when all of them have to wait for the next chunk. */
  push(chunk: Uint8Array): Uint8Array
  /** The rate the audio has, which a header may have corrected. */
  readonly sampleRateHertz: number
}

/**
 * Makes the chunks of one utterance concatenate to one valid file.
 *
 * The service repeats a header in every LINEAR16 chunk, sends one in the first WAV chunk and none with PCM, and older
 * services differ. So each 16-bit chunk is looked at: a header is cut off at the start of any, WAV and LINEAR16 get one
 * of unknown length at the start, and a sample cut in two waits for its other half. Other encodings pass unchanged.
 */
export function createAudioJoiner(
  encoding: AudioEncoding,
  requestedRateHertz: number,
): AudioJoiner {
  let sampleRateHertz = requestedRateHertz
  let isFirst = true
  let half: Uint8Array | undefined

  const push = (chunk: Uint8Array): Uint8Array => {
    if (!isPcm16(encoding)) return chunk
    let samples = chunk
    // Before the waiting half is put in front, which would hide it.
    if (startsWithRiff(chunk)) {
      const header = readWavHeader(chunk)
      if (header) {
        samples = chunk.subarray(header.dataOffset)
        if (isFirst) sampleRateHertz = header.sampleRateHertz ?? requestedRateHertz
      }
    }
    if (half) samples = Buffer.concat([half, samples])
    half = samples.length % 2 === 1 ? samples.subarray(-1) : undefined
    if (half) samples = samples.subarray(0, -1)
    if (samples.length === 0) return samples
    if (isFirst && encoding !== 'PCM') {
      samples = Buffer.concat([writeWavHeader({ sampleRateHertz }), samples])
    }
    isFirst = false
    return samples
  }
  return {
    push,
    get sampleRateHertz() {
      return sampleRateHertz
    },
  }
}
