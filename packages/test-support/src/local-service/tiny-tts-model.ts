import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The element types of ONNX tensors. */
const float = 1
const int64 = 7
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

/** y = sin(octave of the speaker × 2π × 20 Hz × token × time) × 0.3, as the protobuf message `ModelProto`. */
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
    text(2, 'tiny'),
    message(5, tensor('column', [2], int64, int64Bytes([-1, 1]))),
    message(5, tensor('radians', [1, samplesPerLetter], float, floatBytes(radians))),
    message(5, tensor('amplitude', [1], float, floatBytes([0.3]))),
    message(5, tensor('two', [1], float, floatBytes([2]))),
    message(5, tensor('mono', [3], int64, int64Bytes([1, 1, -1]))),
    message(11, value('x', int64, [1, 'tokens'])),
    message(11, value('x_length', int64, [1])),
    message(11, value('noise_scale', float, [1])),
    message(11, value('length_scale', float, [1])),
    message(11, value('noise_scale_w', float, [1])),
    ...(hasSpeakers ? [message(11, value('sid', int64, [1]))] : []),
    message(12, value('y', float, [1, 1, 'samples'])),
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
  return Buffer.concat([
    integer(1, 8),
    message(8, [text(1, ''), integer(2, 13)]),
    message(7, graph),
    ...Object.entries(about).map(([key, value]) =>
      message(14, [text(1, key), text(2, `${value}`)]),
    ),
  ])
}

function node(operator: string, inputs: string[], output: string, attributes: Buffer[] = []) {
  const names = [...inputs.map((input) => text(1, input)), text(2, output), text(3, output)]
  return message(1, [...names, text(4, operator), ...attributes])
}

function integerAttribute(name: string, value: number): Buffer {
  return message(5, [text(1, name), integer(3, value), integer(20, 2)])
}

function tensor(name: string, shape: number[], type: number, content: Buffer): Buffer[] {
  return [
    ...shape.map((size) => integer(1, size)),
    integer(2, type),
    text(8, name),
    bytes(9, content),
  ]
}

function value(name: string, type: number, shape: (number | string)[]): Buffer[] {
  const sizes = shape.map((size) =>
    message(1, [typeof size === 'number' ? integer(1, size) : text(2, size)]),
  )
  return [text(1, name), message(2, [message(1, [integer(1, type), message(2, sizes)])])]
}

function floatBytes(numbers: number[]): Buffer {
  return Buffer.from(Float32Array.from(numbers).buffer)
}

function int64Bytes(numbers: number[]): Buffer {
  return Buffer.from(BigInt64Array.from(numbers, BigInt).buffer)
}

// Protobuf: a field is its number and type, then a varint, or a length and that number of bytes.

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)])
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content])
}

function message(field: number, parts: Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts))
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content))
}

function varint(value: number): Buffer {
  const groups: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128)
  return Buffer.from([...groups, rest])
}
