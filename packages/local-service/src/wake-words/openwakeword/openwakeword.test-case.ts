import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  float,
  floats,
  input,
  integerAttribute,
  node,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { readWeights, type Weights } from '../../neural-networks/weights.ts'
import type { WakeWordCase } from '../../part-registry/part-test-case.ts'
import { createMelSpectrogram, stepSamples } from './mel-spectrogram.ts'
import { createSpeechEmbedding, embeddingSize } from './speech-embedding.ts'

const startCase: WakeWordCase = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-wake-words-'))
  const samples = await spokenSound('hey computer')
  await writeFile(join(folder, 'hey_computer_v0.1.onnx'), await learn(samples))
  return {
    options: { openWakeWords: folder },
    spoken: { phrase: 'hey computer', samples },
    close: () => rm(folder, { recursive: true }),
  }
}

export default startCase

const frames = 8
/** The network takes a sound for the word if it is at least this similar to it; 1: the word itself, 0: silence. */
const similarity = 0.6
const steepness = 20
/** A word does not begin where a step does. */
const offsets = [0, 320, 640, 960]

/** @returns the graph of a wake word that a network of one layer has learned from a single sound. */
async function learn(spoken: Int16Array): Promise<Buffer> {
  const path = findBuiltInData('speech-embedding/weights.safetensors')!
  const embed = createEmbedder(readWeights(await readFile(path)))
  const silence = new Int16Array(40 * stepSamples)
  const before = embed(silence)
  // Half a second of silence follows the word.
  const ends = offsets.map((offset) =>
    embed(
      Int16Array.from([...silence, ...silence.subarray(0, offset), ...spoken.subarray(0, -8000)]),
    ),
  )
  const difference = before.map(
    (value, index) => ends.reduce((sum, end) => sum + end[index]!, 0) / ends.length - value,
  )
  const squares = dot(difference, difference)
  const weights = difference.map((value) => (steepness * value) / squares)
  return onnxModel(
    [
      node('Flatten', ['embeddings'], 'flat'),
      node('Gemm', ['flat', 'weights', 'bias'], 'level', [integerAttribute('transB', 1)]),
      node('Sigmoid', ['level'], 'score'),
      floats('weights', [1, weights.length], weights),
      floats('bias', [1], [-dot(before, weights) - steepness * similarity]),
      input('embeddings', float, [1, frames, embeddingSize]),
      output('score', float, [1, 1]),
    ],
    {},
  )
}

/** @returns a function that returns what a network would see at the end of a sound. */
function createEmbedder(weights: Weights) {
  return (sound: Int16Array): number[] => {
    const spectrogram = createMelSpectrogram()
    const embedding = createSpeechEmbedding(weights)
    const all: number[] = []
    for (let at = 0; at + stepSamples <= sound.length; at += stepSamples) {
      all.push(...embedding.push(spectrogram.push(sound.subarray(at, at + stepSamples))))
    }
    return all.slice(-frames * embeddingSize)
  }
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0)
}
