import type { AudioEncoding } from '../wire/audio-config.ts'
import { isPcm16 } from './encodings.ts'
import { readWavHeader, startsWithRiff, writeWavHeader } from './wav.ts'

/** Joins chunks into one file. */
export interface AudioJoiner {
  /** @returns the bytes to append to the file; empty if all of them wait for the next chunk. */
  push(chunk: Uint8Array): Uint8Array
  /** The actual sample rate: the requested one, or the rate in the first header. */
  readonly sampleRateHertz: number
}

/**
 * Joins the chunks of one utterance into one valid file.
 *
 * The service sends a header in every LINEAR16 chunk, in the first WAV chunk and in no PCM chunk; older services differ.
 * The joiner therefore removes the header of every 16-bit chunk and writes one header of unknown length at the start of
 * WAV and LINEAR16. If a chunk ends in the middle of a sample, the first byte waits for the second. Other encodings pass
 * through unchanged.
 */
export function createAudioJoiner(
  encoding: AudioEncoding,
  requestedRateHertz: number,
): AudioJoiner {
  let sampleRateHertz = requestedRateHertz
  let isFirst = true
  let waitingByte: Uint8Array | undefined

  const push = (chunk: Uint8Array): Uint8Array => {
    if (!isPcm16(encoding)) return chunk
    let samples = chunk
    // First, because a waiting byte in front would hide the header.
    if (startsWithRiff(chunk)) {
      const header = readWavHeader(chunk)
      if (header) {
        samples = chunk.subarray(header.dataOffset)
        if (isFirst) sampleRateHertz = header.sampleRateHertz ?? requestedRateHertz
      }
    }
    if (waitingByte) samples = Buffer.concat([waitingByte, samples])
    waitingByte = samples.length % 2 === 1 ? samples.subarray(-1) : undefined
    if (waitingByte) samples = samples.subarray(0, -1)
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
