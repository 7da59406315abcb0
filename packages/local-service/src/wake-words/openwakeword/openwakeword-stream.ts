import type { Weights } from '../../neural-networks/weights.ts'
import {
  type WakeWordDetection,
  type WakeWordRequest,
  type WakeWordStream,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import type { Classifier } from './classifier.ts'
import { createMelSpectrogram, stepSamples } from './mel-spectrogram.ts'
import { createSpeechEmbedding, embeddingSize } from './speech-embedding.ts'

export interface OpenStreamOptions {
  weights: Weights
  classifier: Classifier
  /** The embedding that the classifier has seen before the stream: of quiet noise. */
  background: Float32Array
  request: WakeWordRequest
  release(): void
}

// The probability stays high for as long as the word is in the classifier's window. The same word is not found twice.
const restMs = 1000

/** Listens to one microphone. */
export function openStream(options: OpenStreamOptions): WakeWordStream {
  const { weights, classifier, background, request, release } = options
  const { phrases, sensitivity, signal } = request
  const spectrogram = createMelSpectrogram()
  const embedding = createSpeechEmbedding(weights)
  const seen = new Float32Array(classifier.frames * embeddingSize)
  const step = new Int16Array(stepSamples)
  for (let frame = 0; frame < classifier.frames; frame++)
    seen.set(background, frame * embeddingSize)
  let filled = 0
  let endMs = 0
  let restUntilMs = 0

  const search = (): WakeWordDetection[] => {
    seen.copyWithin(0, embeddingSize)
    seen.set(embedding.push(spectrogram.push(step)), seen.length - embeddingSize)
    const score = classifier.classify(seen)
    endMs += (1000 * stepSamples) / wakeWordRateHertz
    if (score < 1 - sensitivity) return []
    const isNew = endMs >= restUntilMs
    restUntilMs = endMs + restMs
    return isNew ? [{ phrase: phrases[0]!, score, endMs }] : []
  }

  const push = async (samples: Int16Array): Promise<WakeWordDetection[]> => {
    signal.throwIfAborted()
    const found: WakeWordDetection[] = []
    for (let from = 0; from < samples.length; ) {
      const piece = samples.subarray(from, from + stepSamples - filled)
      step.set(piece, filled)
      filled += piece.length
      from += piece.length
      if (filled < stepSamples) continue
      filled = 0
      found.push(...search())
    }
    return found
  }
  return {
    push,
    // A network finds a word a moment after its end.
    end: () => push(new Int16Array(wakeWordRateHertz / 2)),
    close: release,
  }
}

/** An embedding sees this many steps. */
const embeddingSteps = 10
const noiseLevel = 1000

/** @returns how quiet noise sounds: no network has learned from digital silence. */
export function embedNoise(weights: Weights): Float32Array {
  const spectrogram = createMelSpectrogram()
  const embedding = createSpeechEmbedding(weights)
  let state = 1
  // The generator of Park and Miller: every service hears the same noise.
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return noiseLevel * ((2 * state) / 2_147_483_647 - 1)
  }
  const steps = Array.from({ length: embeddingSteps }, () =>
    embedding.push(spectrogram.push(Int16Array.from({ length: stepSamples }, next))),
  )
  return steps.at(-1)!
}
