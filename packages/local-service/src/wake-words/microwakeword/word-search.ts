import type { WakeWordDetection } from '../wake-word-detector.ts'
import { createNetwork, type NetworkData } from './network.ts'
import { frameMs } from './sound-features.ts'

/** Searches for one wake word in one stream. */
export interface WordSearch {
  /** @param frame the next sound features. @returns what ends there. */
  push(frame: Float32Array): WakeWordDetection | undefined
}

// After a word, its network stays sure for up to two seconds. The same word is not found twice.
const restMs = 500
// A network cannot be surer than 255 of 256.
const maxCutoff = 0.99
/**
 * From which mean probability on a word was said, at the sensitivity 0.5, where less than its author suggests was measured to be
 * better: in noise, "Hey Jarvis" is missed a quarter as often as with 0.97. See docs/turns.md.
 */
const measuredCutoffs: ReadonlyMap<string, number> = new Map([['Hey Jarvis', 0.7]])

export function createWordSearch(data: NetworkData, sensitivity: number): WordSearch {
  const { phrase, averaged, framesPerStep } = data
  const network = createNetwork(data)
  const cutoff = toCutoff(measuredCutoffs.get(phrase) ?? data.cutoff, sensitivity)
  const probabilities: number[] = []
  let waiting: Float32Array[] = []
  let endMs = 0
  let restUntilMs = 0
  return {
    push(frame) {
      endMs += frameMs
      waiting.push(frame)
      if (waiting.length < framesPerStep) return undefined
      probabilities.push(network.step(waiting))
      waiting = []
      if (probabilities.length > averaged) probabilities.shift()
      const score = probabilities.reduce((sum, each) => sum + each, 0) / averaged
      if (score <= cutoff) return undefined
      const isNew = endMs >= restUntilMs
      restUntilMs = endMs + restMs
      return isNew ? { phrase, score, endMs } : undefined
    },
  }
}

/** At 0, as sure as a network can be; at 0.5, the cutoff of the word; at 1, an even chance. */
function toCutoff(own: number, sensitivity: number): number {
  const [most, middle] = [maxCutoff, own].map((cutoff) => Math.log(cutoff / (1 - cutoff))) as [
    number,
    number,
  ]
  const logOdds =
    sensitivity < 0.5
      ? middle + (1 - 2 * sensitivity) * (most - middle)
      : 2 * (1 - sensitivity) * middle
  return 1 / (1 + Math.exp(-logOdds))
}
