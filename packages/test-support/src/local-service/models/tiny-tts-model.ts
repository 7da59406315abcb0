import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  float,
  floats,
  input,
  int64,
  integerAttribute,
  integers,
  node,
  onnxModel,
  output,
} from './onnx-model.ts'

const sampleRateHertz = 16_000
const samplesPerLetter = 1600
const hertzPerToken = 20
const letters = Array.from('abcdefghijklmnopqrstuvwxyz')

/**
 * Writes a VITS model of about 7 kB for sherpa-onnx. It "speaks" each letter as a tone of 0.1 s; the pitch rises with the
 * position in the alphabet.
 * @param words the words it can speak.
 * @param speakers each speaks an octave higher than the previous one.
 */
export async function writeTinyModel(folder: string, words: readonly string[], speakers = 1) {
  await mkdir(folder, { recursive: true })
  const symbols = ['_', ' ', '.', ',', '?', '!', ...letters]
  const tokens = symbols.map((symbol, id) => `${symbol} ${id}\n`)
  const lexicon = [...new Set(words)].map((word) => `${word} ${Array.from(word).join(' ')}\n`)
  await writeFile(join(folder, 'model.onnx'), tinyModel(speakers))
  await writeFile(join(folder, 'tokens.txt'), tokens.join(''))
  await writeFile(join(folder, 'lexicon.txt'), lexicon.join(''))
}

/** y = sin(octave of the speaker × 2π × 20 Hz × token × time) × 0.3. */
function tinyModel(speakers: number): Buffer {
  const hasSpeakers = speakers > 1
  const radians = Array.from(
    { length: samplesPerLetter },
    (_, at) => (2 * Math.PI * hertzPerToken * at) / sampleRateHertz,
  )
  const graph = [
    node('Cast', ['x'], 'tokens', [integerAttribute('to', float)]),
    node('Reshape', ['tokens', 'column'], 'token'),
    node('Mul', ['token', 'radians'], hasSpeakers ? 'angle of first' : 'angle'),
    ...(hasSpeakers
      ? [
          node('Cast', ['sid'], 'speaker', [integerAttribute('to', float)]),
          node('Pow', ['two', 'speaker'], 'octave'),
          node('Mul', ['angle of first', 'octave'], 'angle'),
        ]
      : []),
    node('Sin', ['angle'], 'wave'),
    node('Mul', ['wave', 'amplitude'], 'letters'),
    node('Reshape', ['letters', 'mono'], 'y'),
    integers('column', [2], [-1, 1]),
    floats('radians', [1, samplesPerLetter], radians),
    floats('amplitude', [1], [0.3]),
    floats('two', [1], [2]),
    integers('mono', [3], [1, 1, -1]),
    input('x', int64, [1, 'tokens']),
    input('x_length', int64, [1]),
    input('noise_scale', float, [1]),
    input('length_scale', float, [1]),
    input('noise_scale_w', float, [1]),
    ...(hasSpeakers ? [input('sid', int64, [1])] : []),
    output('y', float, [1, 1, 'samples']),
  ]
  const about = {
    model_type: 'vits',
    comment: 'ljspeech',
    language: 'English',
    add_blank: 0,
    n_speakers: hasSpeakers ? speakers : 0,
    sample_rate: sampleRateHertz,
    punctuation: '. , ? !',
    voice: 'en-us',
    frontend: '',
  }
  return onnxModel(graph, about)
}
