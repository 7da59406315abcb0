import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  float,
  floats,
  input,
  node,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { expect, it, onTestFinished } from 'vitest'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { readWeights } from '../../neural-networks/weights.ts'
import { readClassifier } from './classifier.ts'
import expected from './expected.json' with { type: 'json' }
import { bands, createMelSpectrogram, stepFrames, stepSamples } from './mel-spectrogram.ts'
import { createOpenwakewordDetector } from './openwakeword-detector.ts'
import { createSpeechEmbedding, embeddingSize } from './speech-embedding.ts'

const weightsPath = findBuiltInData('speech-embedding/weights.safetensors')!

/** Two seconds of silence, then a phrase. The expected values are those of openWakeWord's graphs in ONNX Runtime 1.30. */
const spoken = await spokenSound('hey computer')
const sound = Int16Array.from([...new Int16Array(32_000), ...spoken])
const stepsOf = Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, index) =>
  sound.subarray(index * stepSamples, (index + 1) * stepSamples),
)
const spectrogram = createMelSpectrogram()
const mels = stepsOf.map((step) => spectrogram.push(step))

it('measures the bands as the graph of openWakeWord does', () => {
  for (const [frame, levels] of Object.entries(expected.levels)) {
    const { values } = mels[Math.floor(Number(frame) / stepFrames)]!
    const from = (Number(frame) % stepFrames) * bands
    for (const [band, level] of levels.entries()) expect(values[from + band]).toBeCloseTo(level, 2)
  }
})

it('embeds speech as the graph of openWakeWord does, with weights of 8 bits', () => {
  const embedding = createSpeechEmbedding(readWeights(readFileSync(weightsPath)))
  const embedded = mels.map((mel) => embedding.push(mel))
  for (const [step, values] of Object.entries(expected.embeddings)) {
    const differences = values.map((value, index) => value - embedded[Number(step)]![index]!)
    expect(Math.hypot(...differences) / Math.hypot(...values)).toBeLessThan(0.1)
  }
})

/** A network of one layer, and what follows it. */
const network = (nodes: Buffer[], inputs = 2 * embeddingSize) =>
  onnxModel(
    [
      node('Flatten', ['embeddings'], 'flat'),
      node('MatMul', ['flat', 'weights'], 'product'),
      ...nodes,
      floats('weights', [inputs, 1], Array(inputs).fill(0.01)),
      floats('three', [1], [3]),
      floats('one', [1], [1]),
      floats('zero', [1], [0]),
      input('embeddings', float, [1, inputs / embeddingSize, embeddingSize]),
      output('score', float, [1, 1]),
    ],
    {},
  )
const sigmoid = node('Sigmoid', ['level'], 'score')

it('calculates dense layers, their normalisation and their activation', () => {
  const ones = new Float32Array(2 * embeddingSize).fill(1)
  const { frames, classify } = readClassifier(
    network([node('Sub', ['product', 'three'], 'level'), sigmoid]),
  )
  expect(frames).toBe(2)
  expect(classify(ones)).toBeCloseTo(1 / (1 + Math.exp(-(1.92 - 3))), 5)
  const normalised = [node('LayerNormalization', ['product', 'one', 'three'], 'level'), sigmoid]
  expect(readClassifier(network(normalised)).classify(ones)).toBeCloseTo(1 / (1 + Math.exp(-3)), 5)
  const powers = ['Relu', 'Sqrt', 'Tanh'].map((operator, index) =>
    node(operator, [index === 0 ? 'product' : `value${index}`], `value${index + 1}`),
  )
  const chain = [...powers, node('Mul', ['value3', 'one'], 'score')]
  expect(readClassifier(network(chain)).classify(ones)).toBeCloseTo(Math.tanh(Math.sqrt(1.92)), 5)
})

it.each([
  ['an operator that is not known', network([node('LSTM', ['product'], 'score')]), 'operator LSTM'],
  ['another size of embeddings', network([sigmoid], 100), 'embeddings of 96'],
  ['no probability', network([node('Add', ['product', 'three'], 'score')]), 'not a probability'],
  ['no output', network([]), 'exactly one output'],
  ['no graph', Buffer.from('text'), 'no complete graph'],
])('rejects a graph with %s', (_name, graph, message) => {
  expect(() => readClassifier(graph)).toThrow(message)
})

it('takes the phrase from the name of a file, and reports a file that it cannot use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-wake-words-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const good = network([node('Sub', ['product', 'three'], 'level'), sigmoid])
  for (const name of ['hey_house_v0.1', 'dinner_time']) {
    await writeFile(join(folder, `${name}.onnx`), good)
  }
  await writeFile(join(folder, 'broken.onnx'), 'text')
  await writeFile(join(folder, 'notes.txt'), 'text')
  const warnings: string[] = []
  const warn = (message: string) => warnings.push(message)
  const folders = [folder, join(folder, 'missing')]
  const detector = (await createOpenwakewordDetector({ folders, weightsPath, warn }))!
  expect(detector.models).toMatchObject([
    { modelId: 'openwakeword/dinner_time', phrases: ['dinner time'] },
    { modelId: 'openwakeword/hey_house_v0.1', phrases: ['hey house'] },
  ])
  expect(warnings).toEqual([
    expect.stringMatching(/broken\.onnx is skipped: it is no complete graph/),
  ])
  await detector.close()
})

it('does not start without wake words', async () => {
  const missing = join(tmpdir(), 'parlando-no-wake-words')
  const options = { folders: [missing], weightsPath, warn() {} }
  expect(await createOpenwakewordDetector(options)).toBeUndefined()
})
