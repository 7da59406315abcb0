import type { SpeechDetector } from '../../packages/local-service/src/listening/turns/detectors.ts'
import { defaultTurnRule } from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import { makeGuitar, makeMusic, steadyNoises } from './noises.ts'
import { makeBabble, readRecordings } from './recordings.ts'
import { arrange, record, type Scene, scaleNoise } from './scene.ts'
import { findTurns, type Score, score } from './score.ts'

/** Prints the rows of the tables in docs/turns.md, which a thorough run measures. */
export const printsFigures = process.env['PARLANDO_PRINT_TURNS'] === 'true'

const noiseMakers: Readonly<Record<string, (length: number) => Float32Array>> = {
  ...steadyNoises,
  music: makeMusic,
  guitar: makeGuitar,
  voices: makeBabble,
}

/** Recordings of people, in which a detector finds the turns. */
export interface NoisyScene extends Scene {
  /** @param samples of the scene. @param name of the row that is printed. */
  listen(name: string, samples: Int16Array, speechDetector?: SpeechDetector): Promise<Score>
  /** Mixes the scene with a noise first. */
  listenIn(
    noise: string,
    decibelsBelowSpeech: number,
    speechDetector?: SpeechDetector,
  ): Promise<Score>
}

/** @param amount how many recordings: 1 for 57. */
export function arrangeNoisily(amount: number): NoisyScene {
  const scene = arrange(readRecordings(amount))
  /** Each is made when a test needs it, which takes seconds. */
  const noises = new Map<string, Float32Array>()
  const listen: NoisyScene['listen'] = async (name, samples, speechDetector) => {
    const turns = await findTurns(samples, defaultTurnRule, { speechDetector })
    const found = score(turns, scene.speech, defaultTurnRule)
    if (printsFigures) print(name, found)
    return found
  }
  return {
    ...scene,
    listen,
    listenIn(noise, decibelsBelowSpeech, speechDetector) {
      const samples = noises.get(noise) ?? noiseMakers[noise]!(scene.samples.length)
      noises.set(noise, samples)
      const mixed = record(scene.samples, scaleNoise(samples, decibelsBelowSpeech))
      return listen(`${noise}, ${decibelsBelowSpeech} dB`, mixed, speechDetector)
    },
  }
}

function print(name: string, { turns, startDelays, endDelays, ...counts }: Score): void {
  const middle = (values: readonly number[], share: number) => {
    const sorted = [...values].sort((first, second) => first - second)
    return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  }
  const { endsInTime, startsCut, endsCut, falseStarts } = counts
  const delays = [startDelays, endDelays].map(
    (values) => `${middle(values, 0.5)} / ${middle(values, 0.95)}`,
  )
  console.log(
    `| ${[name, `${endsInTime} of ${turns}`, startsCut, endsCut, falseStarts, ...delays].join(' | ')} |`,
  )
}
