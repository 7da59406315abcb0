import { setImmediate } from 'node:timers/promises'
import { wholeSamples } from '@parlando/core/audio'
import { fromPcmBytes } from '../pcm.ts'
import { createMp3Pool } from './mp3-encoder.ts'

// The service encodes speech with this rate by default.
const bitRate = 128_000
/** LAME encodes about a second of sound at a time, in some 20 ms. */
const maxStepBytes = 65_536

const encoders = createMp3Pool()

/**
 * Encodes a sound as MP3 while it arrives, mono, with 128 kbit/s.
 * @param pieces 16-bit little-endian PCM, mono, in pieces of any size.
 * @param sampleRateHertz one of the rates of MP3.
 * @throws the errors of `pieces`.
 */
export async function* encodeMp3(
  pieces: AsyncIterable<Uint8Array>,
  sampleRateHertz: number,
): AsyncGenerator<Uint8Array, void> {
  const encoder = await encoders.open({ sampleRateHertz, bitRate })
  const whole = wholeSamples()
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += maxStepBytes) {
        yield encoder.push(fromPcmBytes(whole(piece.subarray(at, at + maxStepBytes))))
        // A long sound that exists already must not hold up its process.
        await setImmediate()
      }
    }
    yield encoder.end()
  } finally {
    encoder.close()
  }
}
