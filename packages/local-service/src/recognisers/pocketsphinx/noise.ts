import { quantile } from '../../audio/signal.ts'
import { recogniserRateHertz } from '../recogniser.ts'

const frameSamples = recogniserRateHertz / 50
// In a quiet room the difference is 25 dB and more. At 10 dB, pocketsphinx matches hardly any sentence.
const minSpeechOverNoiseDecibels = 18

/** Whether the speech is hardly louder than the pauses around it, so that no recogniser understands it. */
export function isNoisy(pieces: readonly Int16Array[]): boolean {
  const levels = pieces.flatMap((piece) => frameLevels(piece))
  return quantile(levels, 0.9) - quantile(levels, 0.1) < minSpeechOverNoiseDecibels
}

function frameLevels(samples: Int16Array): number[] {
  return Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) => {
    let sum = 1
    for (const sample of samples.subarray(frame * frameSamples, (frame + 1) * frameSamples)) {
      sum += sample * sample
    }
    return 10 * Math.log10(sum / frameSamples)
  })
}
