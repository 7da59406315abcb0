import {
  float,
  input,
  int64,
  integerAttribute,
  integersAttribute,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import type { Tensor } from './ctranslate2.ts'
import { OnnxGraph } from './onnx-graph.ts'

/** How many tokens the decoder remembers. */
export const textContext = 448
const operators = 17

export function sizesOf(weights: ReadonlyMap<string, Tensor>) {
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

/** Also makes the keys and values that the decoder looks at. */
export function encoder(
  weights: ReadonlyMap<string, Tensor>,
  about: Record<string, string | number>,
): Buffer {
  const { state, encoderLayers, decoderLayers } = sizesOf(weights)
  const graph = new OnnxGraph(weights)
  const convolve = (x: string, name: string, stride: number) => {
    const attributes = [
      integersAttribute('kernel_shape', [3]),
      integersAttribute('pads', [1, 1]),
      integersAttribute('strides', [stride]),
    ]
    const names = [`encoder/${name}/weight`, `encoder/${name}/bias`].map((path) =>
      graph.weight(path),
    )
    return graph.gelu(graph.add('Conv', [x, ...names], attributes))
  }
  const sound = convolve(convolve('mel', 'conv1', 1), 'conv2', 2)
  const frames = graph.add('Transpose', [sound], [integersAttribute('perm', [0, 2, 1])])
  const length = graph.slice(
    graph.add('Shape', [frames]),
    graph.constant([1]),
    graph.constant([2]),
    0,
  )
  const places = graph.slice(
    graph.weight('encoder/position_encodings/encodings'),
    graph.constant([0]),
    length,
    0,
  )
  let x = graph.add('Add', [frames, places])
  for (let layer = 0; layer < encoderLayers; layer++) {
    const name = `encoder/layer_${layer}`
    const all = graph.linear(
      graph.norm(x, `${name}/self_attention/layer_norm`),
      `${name}/self_attention/linear_0`,
    )
    const [query, keys, values] = graph.divide(all, state, 3)
    const heard = graph.linear(graph.attend(query, keys, values), `${name}/self_attention/linear_1`)
    x = graph.feedForward(graph.add('Add', [x, heard]), `${name}/ffn`)
  }
  x = graph.norm(x, 'encoder/layer_norm')
  const cross = Array.from({ length: decoderLayers }, (_, layer) =>
    graph.divide(graph.linear(x, `decoder/layer_${layer}/attention/linear_1`), state, 2),
  )
  graph.stack(
    cross.map(([keys]) => keys),
    'n_layer_cross_k',
  )
  graph.stack(
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

interface Decoding {
  /** The place after the last token. */
  end: string
  /** A token only looks at earlier ones. */
  mask: string
  state: number
}

interface Cache {
  keys: string
  values: string
}

/** Keeps the keys and values of earlier tokens in a cache. */
export function decoder(weights: ReadonlyMap<string, Tensor>): Buffer {
  const { state, vocabulary, decoderLayers } = sizesOf(weights)
  const graph = new OnnxGraph(weights)
  const count = graph.slice(
    graph.add('Shape', ['tokens']),
    graph.constant([1]),
    graph.constant([2]),
    0,
  )
  const end = graph.add('Add', ['offset', count])
  const places = graph.slice(graph.weight('decoder/position_encodings/encodings'), 'offset', end, 0)
  const embeddings = graph.weight('decoder/embeddings/weight')
  let x = graph.add('Add', [graph.add('Gather', [embeddings, 'tokens']), places])
  const decoding = { end, mask: maskOf(graph, end), state }
  const caches: Cache[] = []
  for (let layer = 0; layer < decoderLayers; layer++) {
    const decoded = decodeLayer(graph, x, layer, decoding)
    x = decoded.x
    caches.push(decoded.cache)
  }
  const columns = graph.transposed('decoder/embeddings/weight')
  graph.add('MatMul', [graph.norm(x, 'decoder/layer_norm'), columns], [], 'logits')
  graph.stack(
    caches.map(({ keys }) => keys),
    'out_n_layer_self_k_cache',
  )
  graph.stack(
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

function maskOf(graph: OnnxGraph, end: string): string {
  const row = graph.add(
    'Range',
    [graph.constant([0]), end, graph.constant([1])].map((value) => graph.add('Squeeze', [value])),
  )
  const column = graph.add('Unsqueeze', [graph.slice(row, 'offset', end, 0), graph.constant([1])])
  const rows = graph.add('Unsqueeze', [row, graph.constant([0])])
  const isLater = graph.add('Greater', [rows, column])
  const never = graph.constant([-1e9], true)
  return graph.add('Where', [isLater, never, graph.constant([0], true)])
}

function decodeLayer(
  graph: OnnxGraph,
  x: string,
  layer: number,
  { end, mask, state }: Decoding,
): { x: string; cache: Cache } {
  const name = `decoder/layer_${layer}`
  const layerOf = (cache: string) =>
    graph.add('Squeeze', [
      graph.slice(cache, graph.constant([layer]), graph.constant([layer + 1]), 0),
      graph.constant([0]),
    ])
  const extend = (cache: string, added: string) => {
    const before = graph.slice(cache, graph.constant([0]), 'offset', 1)
    const known = graph.add('Concat', [before, added], [integerAttribute('axis', 1)])
    const after = graph.slice(cache, end, graph.constant([textContext]), 1)
    return { known, next: graph.add('Concat', [known, after], [integerAttribute('axis', 1)]) }
  }
  const all = graph.linear(
    graph.norm(x, `${name}/self_attention/layer_norm`),
    `${name}/self_attention/linear_0`,
  )
  const [query, newKeys, newValues] = graph.divide(all, state, 3)
  const keys = extend(layerOf('in_n_layer_self_k_cache'), newKeys)
  const values = extend(layerOf('in_n_layer_self_v_cache'), newValues)
  const own = graph.linear(
    graph.attend(query, keys.known, values.known, mask),
    `${name}/self_attention/linear_1`,
  )
  const withOwn = graph.add('Add', [x, own])
  const asked = graph.linear(
    graph.norm(withOwn, `${name}/attention/layer_norm`),
    `${name}/attention/linear_0`,
  )
  const soundKeys = layerOf('n_layer_cross_k')
  const soundValues = layerOf('n_layer_cross_v')
  const heard = graph.linear(
    graph.attend(asked, soundKeys, soundValues),
    `${name}/attention/linear_2`,
  )
  return {
    x: graph.feedForward(graph.add('Add', [withOwn, heard]), `${name}/ffn`),
    cache: { keys: keys.next, values: values.next },
  }
}
