import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  float,
  floats,
  input,
  int64,
  integerAttribute,
  integers,
  integersAttribute,
  node,
  onnxModel,
  output,
} from './onnx-model.ts'

const sampleRateHertz = 24_000
const samplesPerFrame = 1920
const framesPerLetter = 2
/** Sizes that sherpa-onnx prescribes. */
const embeddingSize = 1024
const latentSize = 32
const letters = Array.from('abcdefghijklmnopqrstuvwxyz ,.')

/**
 * Writes a model of the family Pocket for sherpa-onnx, about 30 kB in all. It speaks like a recording: as a tone with the
 * pitch of the recording, for 0.16 s per letter.
 */
export async function writeTinyPocketModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content)
  await write('encoder.onnx', encoder())
  await write('text_conditioner.int8.onnx', textConditioner())
  await write('lm_main.int8.onnx', languageModel())
  await write('lm_flow.int8.onnx', flow())
  await write('decoder.int8.onnx', decoder())
  // SentencePiece writes a space as ▁.
  const pieces = letters.map((letter) => (letter === ' ' ? '▁' : letter))
  // For letters without a token of their own.
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`
  })
  const tokens = ['<unk>', ...bytes, ...pieces]
  await write(
    'vocab.json',
    JSON.stringify(Object.fromEntries(tokens.map((token, id) => [token, id]))),
  )
  await write(
    'token_scores.json',
    JSON.stringify(Object.fromEntries(tokens.map((token) => [token, -1]))),
  )
}

/** A vector with 1 at one place. The first place carries the pitch, the second the number of letters. */
function unit(name: string, place: number): Buffer {
  const numbers = Array.from({ length: embeddingSize }, (_, at) => (at === place ? 1 : 0))
  return floats(name, [1, 1, embeddingSize], numbers)
}

/** Pitch = half the sign changes per second. The sign of the product of two neighbours is -1 where it changes. */
function encoder(): Buffer {
  const hertzPerMean = sampleRateHertz / 4
  return onnxModel(
    [
      node('Slice', ['audio', 'zero', 'last', 'axis'], 'earlier'),
      node('Slice', ['audio', 'one', 'end', 'axis'], 'later'),
      node('Mul', ['earlier', 'later'], 'product'),
      node('Sign', ['product'], 'sign'),
      node('ReduceMean', ['sign'], 'mean', [integersAttribute('axes', [2])]),
      node('Mul', ['mean', 'hertz per mean'], 'scaled'),
      node('Sub', ['hertz per mean', 'scaled'], 'hertz'),
      node('Mul', ['hertz', 'place'], 'embedding'),
      integers('zero', [1], [0]),
      integers('one', [1], [1]),
      integers('last', [1], [-1]),
      integers('end', [1], [2 ** 31]),
      integers('axis', [1], [2]),
      floats('hertz per mean', [1], [hertzPerMean]),
      unit('place', 0),
      input('audio', float, [1, 1, 'samples']),
      output('embedding', float, [1, 1, embeddingSize]),
    ],
    {},
  )
}

function textConditioner(): Buffer {
  return onnxModel(
    [
      node('Cast', ['token_ids'], 'numbers', [integerAttribute('to', float)]),
      node('Mul', ['numbers', 'nothing'], 'zeros'),
      node('Add', ['zeros', 'one'], 'ones'),
      node('Reshape', ['ones', 'column'], 'letters'),
      node('Mul', ['letters', 'place'], 'embeddings'),
      floats('nothing', [1], [0]),
      floats('one', [1], [1]),
      integers('column', [3], [1, -1, 1]),
      unit('place', 1),
      input('token_ids', int64, [1, 'letters']),
      output('embeddings', float, [1, 'letters', embeddingSize]),
    ],
    {},
  )
}

/** Adds up pitch and letters in its state, and ends when there are as many frames as the letters need. */
function languageModel(): Buffer {
  const firstTwo = Array.from({ length: 2 * embeddingSize }, (_, at) =>
    at === 0 || at === 3 ? 1 : 0,
  )
  return onnxModel(
    [
      node('MatMul', ['text_embeddings', 'first two'], 'pairs'),
      node('ReduceSum', ['pairs', 'one'], 'pair', [integerAttribute('keepdims', 0)]),
      node('Add', ['sum', 'pair'], 'new sum'),
      node('Shape', ['sequence'], 'shape'),
      node('Slice', ['shape', 'one', 'two', 'zero'], 'frames'),
      node('Cast', ['frames'], 'more', [integerAttribute('to', float)]),
      node('Add', ['steps', 'more'], 'new steps'),
      node('Slice', ['new sum', 'zero', 'one', 'one'], 'conditioning'),
      node('Slice', ['new sum', 'one', 'two', 'one'], 'letters'),
      node('Mul', ['letters', 'frames per letter'], 'needed'),
      node('Sub', ['new steps', 'needed'], 'eos_logit'),
      floats('first two', [embeddingSize, 2], firstTwo),
      floats('frames per letter', [1], [framesPerLetter]),
      integers('zero', [1], [0]),
      integers('one', [1], [1]),
      integers('two', [1], [2]),
      input('sequence', float, [1, 'frames', latentSize]),
      input('text_embeddings', float, [1, 'embeddings', embeddingSize]),
      input('sum', float, [1, 2]),
      input('steps', float, [1]),
      output('conditioning', float, [1, 1]),
      output('eos_logit', float, [1, 1]),
      output('new sum', float, [1, 2]),
      output('new steps', float, [1]),
    ],
    {},
  )
}

/** Adds the pitch to the noise, which changes it by at most a few hertz. */
function flow(): Buffer {
  return onnxModel(
    [
      node('Mul', ['x', 'nothing'], 'zeros'),
      node('Add', ['zeros', 'c'], 'direction'),
      floats('nothing', [1], [0]),
      input('c', float, [1, 1]),
      input('s', float, [1, 1]),
      input('t', float, [1, 1]),
      input('x', float, [1, latentSize]),
      output('direction', float, [1, latentSize]),
    ],
    {},
  )
}

function decoder(): Buffer {
  const radians = Array.from(
    { length: samplesPerFrame },
    (_, at) => (2 * Math.PI * at) / sampleRateHertz,
  )
  return onnxModel(
    [
      node('ReduceMean', ['latent'], 'hertz', [integersAttribute('axes', [2])]),
      node('Mul', ['hertz', 'radians'], 'angle'),
      node('Sin', ['angle'], 'wave'),
      node('Mul', ['wave', 'amplitude'], 'frames'),
      node('Reshape', ['frames', 'mono'], 'audio'),
      floats('radians', [1, 1, samplesPerFrame], radians),
      floats('amplitude', [1], [0.3]),
      integers('mono', [3], [1, 1, -1]),
      input('latent', float, [1, 'frames', latentSize]),
      output('audio', float, [1, 1, 'samples']),
    ],
    {},
  )
}
