import type { AudioEncoding } from '../wire/audio-encodings.ts'
import type { AudioJoiner } from './incremental.ts'
import { readWavHeader, startsWithRiff, writeWavHeader } from './wav.ts'
import { wholeSamples } from './whole-samples.ts'

// With more channels, the header could not hold the bytes per second.
const maxChannels = 255

/**
 * Joins 16-bit samples, with or without WAV headers.
 *
 * The service sends a header in every LINEAR16 chunk, in the first WAV chunk and in no PCM chunk; older services differ.
 * The joiner therefore removes the header of every chunk and writes one header of unknown length at the start of WAV and
 * LINEAR16. If a chunk ends in the middle of a sample, the first byte waits for the second.
 */
export function createWavJoiner(encoding: AudioEncoding, requestedRateHertz: number): AudioJoiner {
  let channels = 1
  let isFirst = true
  const whole = wholeSamples()
  const joiner = {
    sampleRateHertz: requestedRateHertz,
    push(chunk: Uint8Array): Uint8Array {
      let samples = chunk
      // First, because half a sample in front would hide the header.
      if (startsWithRiff(chunk)) {
        const header = readWavHeader(chunk)
        if (header) {
          samples = chunk.subarray(header.dataOffset)
          if (isFirst) {
            joiner.sampleRateHertz = header.sampleRateHertz ?? requestedRateHertz
            channels = header.channels <= maxChannels ? header.channels || 1 : 1
          }
        }
      }
      samples = whole(samples)
      if (samples.length === 0) return samples
      if (isFirst && encoding !== 'PCM') {
        const { sampleRateHertz } = joiner
        samples = Buffer.concat([writeWavHeader({ sampleRateHertz, channels }), samples])
      }
      isFirst = false
      return samples
    },
    nextPiece: () => new Uint8Array(),
    end: () => new Uint8Array(),
  }
  return joiner
}
