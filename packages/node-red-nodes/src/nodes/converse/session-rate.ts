import { wholeSamples } from '@parlando/core/audio'
import { createResampler } from '../../sounds/polyphase-resampler.ts'

/** The only rate that every realtime service supports. */
export const sessionRateHertz = 24_000

/** Makes a function that converts 16-bit PCM, in pieces of any size, to the sample rate of the session. */
export function createRateConverter(sampleRateHertz: number): (pcm: Uint8Array) => Buffer {
  const resampler = createResampler(sampleRateHertz, sessionRateHertz)
  const whole = wholeSamples()
  return (added) => {
    const { buffer, byteOffset, byteLength } = whole(added)
    const pcm = Buffer.from(buffer, byteOffset, byteLength)
    const samples = new Float32Array(pcm.length / 2)
    for (let index = 0; index < samples.length; index++) {
      samples[index] = pcm.readInt16LE(2 * index)
    }
    const resampled = resampler.push(samples)
    const converted = Buffer.alloc(2 * resampled.length)
    for (const [index, sample] of resampled.entries()) {
      converted.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample))), 2 * index)
    }
    return converted
  }
}
