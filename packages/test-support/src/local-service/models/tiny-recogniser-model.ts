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
const melBins = 80
const words = ['turn', 'on', 'off', 'the', 'light', 'kitchen', 'hello', 'stop']
const symbols = words.length + 1
/** A model takes one frame of 10 ms in four. */
const frameStep = 4

/**
 * Writes a recogniser of about 4 kB for sherpa-onnx. Each word is a tone in a mel bin of its own; `sayTones` makes the
 * sound. The token 0 means silence.
 * @param kind `streaming`: a streaming Zipformer 2 with CTC. `whole`: a Zipformer with CTC.
 * @param metadata overrides the metadata of the model.
 */
export async function writeTinyRecogniser(
  folder: string,
  kind: 'streaming' | 'whole',
  { metadata, capitals }: { metadata?: Record<string, string>; capitals?: boolean } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const spelt = words.map((word) => (capitals ? word.toUpperCase() : word))
  const model =
    kind === 'streaming' ? streamingModel('log_probs', metadata) : wholeModel('log_probs')
  await writeFile(join(folder, 'model.onnx'), model)
  await writeTokens(folder, spelt)
}

async function writeTokens(folder: string, spelt: readonly string[]): Promise<void> {
  const tokens = ['<blk>', ...spelt.map((word) => `▁${word}`)]
  const lines = tokens.map((token, id) => `${token} ${id}\n`)
  await writeFile(join(folder, 'tokens.txt'), lines.join(''))
}

/**
 * Writes a transducer of about 5 kB. Unlike the models above, it accepts expected words. Two words that
 * sound at the same time, such as "turn" and "stop", give one of them: after a word, the decoder suppresses this word and the
 * one at the mirrored position of the list.
 */
export async function writeTinyTransducer(
  folder: string,
  kind: 'streaming' | 'whole',
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const context = 2
  const encoder = kind === 'streaming' ? streamingModel('encoder_out') : wholeModel('encoder_out')
  const suppression = Array.from({ length: symbols ** 2 }, (_, at) => {
    const [previous, next] = [Math.floor(at / symbols), at % symbols]
    const isSuppressed = next === previous || next === symbols - previous
    return previous > 0 && next > 0 && isSuppressed ? -100 : 0
  })
  const decoder = onnxModel(
    [
      node('Gather', ['y', 'last'], 'previous', [integerAttribute('axis', 1)]),
      node('Gather', ['suppression', 'previous'], 'decoder_out'),
      integers('last', [], [context - 1]),
      floats('suppression', [symbols, symbols], suppression),
      input('y', int64, ['N', context]),
      output('decoder_out', float, ['N', symbols]),
    ],
    { vocab_size: symbols, context_size: context },
  )
  const joiner = onnxModel(
    [
      node('Add', ['encoder_out', 'decoder_out'], 'logit'),
      input('encoder_out', float, ['N', symbols]),
      input('decoder_out', float, ['N', symbols]),
      output('logit', float, ['N', symbols]),
    ],
    { joiner_dim: symbols },
  )
  await writeFile(join(folder, 'encoder.onnx'), encoder)
  await writeFile(join(folder, 'decoder.onnx'), decoder)
  await writeFile(join(folder, 'joiner.onnx'), joiner)
  await writeTokens(folder, words)
}

/** Says the words as tones of 200 ms, 350 ms apart, after 300 ms of silence. */
export function sayTones(text: string): Int16Array {
  const spoken = text.split(' ')
  const samples = new Int16Array(sampleRateHertz * (0.9 + 0.35 * spoken.length))
  const length = 0.2 * sampleRateHertz
  for (const [index, word] of spoken.entries()) {
    const start = Math.round((0.3 + 0.35 * index) * sampleRateHertz)
    const radians = (2 * Math.PI * toneHertz(words.indexOf(word))) / sampleRateHertz
    for (let at = 0; at < length; at++) {
      const fade = Math.min(1, at / 400, (length - at) / 400)
      samples[start + at] = 10_000 * fade * Math.sin(radians * at)
    }
  }
  return samples
}

function melBinOf(word: number): number {
  return 12 + 8 * word
}

/** The middle of the mel bin of a word. The bins of sherpa-onnx divide 20 Hz to 7600 Hz. */
function toneHertz(word: number): number {
  const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
  const middle = mel(20) + ((melBinOf(word) + 1) * (mel(7600) - mel(20))) / (melBins + 1)
  return 700 * (Math.exp(middle / 1127) - 1)
}

/** The level of a word is that of its mel bin; silence has the level 0. */
function levels(result: string, lastFrame: number): Buffer[] {
  const weights = Array.from({ length: melBins * symbols }, () => 0)
  for (const word of words.keys()) weights[melBinOf(word) * symbols + word + 1] = 1
  return [
    node('MatMul', ['x', 'weights'], 'levels'),
    node('Slice', ['levels', 'first', 'last', 'axis', 'step'], result),
    floats('weights', [melBins, symbols], weights),
    integers('first', [1], [0]),
    integers('last', [1], [lastFrame]),
    integers('axis', [1], [1]),
    integers('step', [1], [frameStep]),
  ]
}

function wholeModel(result: string): Buffer {
  const lengths = result === 'log_probs' ? 'log_probs_len' : `${result}_lens`
  const graph = [
    ...levels(result, 2 ** 31),
    node('Add', ['x_lens', 'three'], 'padded'),
    node('Div', ['padded', 'four'], lengths),
    integers('three', [1], [frameStep - 1]),
    integers('four', [1], [frameStep]),
    input('x', float, ['N', 'T', melBins]),
    input('x_lens', int64, ['N']),
    output(result, float, ['N', 'U', symbols]),
    output(lengths, int64, ['N']),
  ]
  return onnxModel(graph, { model_type: result === 'log_probs' ? 'zipformer2_ctc' : 'zipformer2' })
}

/** One layer of dimension 4. It returns its states unchanged. */
function streamingModel(result: string, metadata: Record<string, string> = {}): Buffer {
  const [chunkFrames, windowFrames] = [32, 45]
  const states: [string, (number | string)[]][] = [
    ['key', [1, 'N', 4]],
    ['nonlin', [1, 'N', 1, 3]],
    ['value1', [1, 'N', 4]],
    ['value2', [1, 'N', 4]],
    ['convolution1', ['N', 4, 1]],
    ['convolution2', ['N', 4, 1]],
    ['embedding', ['N', 128, 3, 19]],
  ]
  const graph = [
    ...levels(result, chunkFrames),
    ...states.map(([name]) => node('Identity', [name], `new_${name}`)),
    node('Add', ['processed', 'chunk'], 'new_processed'),
    integers('chunk', [1], [chunkFrames]),
    input('x', float, ['N', windowFrames, melBins]),
    ...states.map(([name, shape]) => input(name, float, shape)),
    input('processed', int64, ['N']),
    output(result, float, ['N', chunkFrames / frameStep, symbols]),
    ...states.map(([name, shape]) => output(`new_${name}`, float, shape)),
    output('new_processed', int64, ['N']),
  ]
  return onnxModel(graph, {
    model_type: 'zipformer2',
    version: 1,
    encoder_dims: '4',
    query_head_dims: '4',
    value_head_dims: '4',
    num_heads: '1',
    num_encoder_layers: '1',
    cnn_module_kernels: '3',
    left_context_len: '1',
    T: windowFrames,
    decode_chunk_len: chunkFrames,
    ...metadata,
  })
}
