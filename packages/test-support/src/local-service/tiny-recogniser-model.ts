import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { float, floats, input, int64, integers, node, onnxModel, output } from './onnx-model.ts'

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
  const tokens = ['<blk>', ...spelt.map((word) => `▁${word}`)]
  const model = kind === 'streaming' ? streamingModel(metadata) : wholeModel()
  await writeFile(join(folder, 'model.onnx'), model)
  await writeFile(
    join(folder, 'tokens.txt'),
    tokens.map((token, id) => `${token} ${id}\n`).join(''),
  )
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
function levels(lastFrame: number): Buffer[] {
  const weights = Array.from({ length: melBins * symbols }, () => 0)
  for (const word of words.keys()) weights[melBinOf(word) * symbols + word + 1] = 1
  return [
    node('MatMul', ['x', 'weights'], 'levels'),
    node('Slice', ['levels', 'first', 'last', 'axis', 'step'], 'log_probs'),
    floats('weights', [melBins, symbols], weights),
    integers('first', [1], [0]),
    integers('last', [1], [lastFrame]),
    integers('axis', [1], [1]),
    integers('step', [1], [frameStep]),
  ]
}

function wholeModel(): Buffer {
  const graph = [
    ...levels(2 ** 31),
    node('Add', ['x_lens', 'three'], 'padded'),
    node('Div', ['padded', 'four'], 'log_probs_len'),
    integers('three', [1], [frameStep - 1]),
    integers('four', [1], [frameStep]),
    input('x', float, ['N', 'T', melBins]),
    input('x_lens', int64, ['N']),
    output('log_probs', float, ['N', 'U', symbols]),
    output('log_probs_len', int64, ['N']),
  ]
  return onnxModel(graph, { model_type: 'zipformer2_ctc' })
}

/** One layer of dimension 4. It returns its states unchanged. */
function streamingModel(metadata: Record<string, string> = {}): Buffer {
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
    ...levels(chunkFrames),
    ...states.map(([name]) => node('Identity', [name], `new_${name}`)),
    node('Add', ['processed', 'chunk'], 'new_processed'),
    integers('chunk', [1], [chunkFrames]),
    input('x', float, ['N', windowFrames, melBins]),
    ...states.map(([name, shape]) => input(name, float, shape)),
    input('processed', int64, ['N']),
    output('log_probs', float, ['N', chunkFrames / frameStep, symbols]),
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
