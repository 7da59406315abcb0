import { wholeSamples } from '@parlando/core/audio'
import { pcmOf, samplesOf } from './pcm-samples.ts'
import { createResampler } from './polyphase-resampler.ts'

/** Makes a function that converts 16-bit PCM, in pieces of any size, to another sample rate. It holds the last 3 ms back. */
export function createRateConverter(
  inputRateHertz: number,
  outputRateHertz: number,
): (pcm: Uint8Array) => Buffer {
  const resampler = createResampler(inputRateHertz, outputRateHertz)
  const whole = wholeSamples()
  return (pcm) => pcmOf(resampler.push(samplesOf(whole(pcm))))
}
