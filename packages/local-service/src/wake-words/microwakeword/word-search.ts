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

export function createWordSearch(data: NetworkData, sensitivity: number): WordSearch {
  const { phrase, averaged, framesPerStep } = data
  const network = createNetwork(data)
  const cutoff = toCutoff(data.cutoff, sensitivity)
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

/** At 0.5, the network's own; at 1, an even chance. */
function toCutoff(own: number, sensitivity: number): number {
  const logOdds = 2 * (1 - sensitivity) * Math.log(own / (1 - own))
  return Math.min(maxCutoff, 1 / (1 + Math.exp(-logOdds)))
}
