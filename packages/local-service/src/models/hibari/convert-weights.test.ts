import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toHibariGraph } from '@parlando/test-support/local-service/models/hibari-graph'
import {
  float,
  floats,
  node,
  onnxModel,
  tensor,
} from '@parlando/test-support/local-service/models/onnx-model'
import { describe, expect, it } from 'vitest'
import { readWeights } from '../../neural-networks/weights.ts'
import { convertWeights } from './convert-weights.ts'

const int8 = 3
const heart = readFileSync(
  fileURLToPath(import.meta.resolve('@parlando/voices/heart/weights.safetensors')),
)

/** Two inputs, three outputs. @param scales one number, or one for each output. */
function quantized(scales: readonly number[], zeroPoint = 0): Buffer {
  return onnxModel(
    [
      tensor('a_quantized', [2, 3], int8, Buffer.from(Int8Array.of(1, 2, 3, -4, 5, 127).buffer)),
      tensor('a_zero_point', [], int8, Buffer.of(zeroPoint)),
      floats('a_scale', scales.length === 1 ? [] : [scales.length], scales),
      floats('m.a.bias', [3], [10, 20, 30]),
      node('MatMulInteger', ['x', 'a_quantized', 'x_zero', 'a_zero_point'], 'y'),
      node('Mul', ['y', 'x_scale'], 'z'),
      node('Add', ['z', 'm.a.bias'], 'sum'),
    ],
    {},
  )
}

const row = { values: Float32Array.of(1, 2), count: 1, width: 2 }
const rounded = (values: Float32Array) => Array.from(values, (value) => Math.round(value * 10) / 10)

describe('a voice of hibari', () => {
  it('becomes the same file of weights, to the byte, as the one of its graph in Python', () => {
    expect(Buffer.from(convertWeights(toHibariGraph(heart))).equals(heart)).toBe(true)
  })

  it.each([
    [[0.5], [6.5, 26, 158.5]],
    [
      [0.5, 1, 2],
      [6.5, 32, 544],
    ],
  ])('has matrices with the scales %j', (scales, expected) => {
    const weights = readWeights(convertWeights(quantized(scales)))
    expect(rounded(weights.linear(row, 'm.a').values)).toEqual(expected)
  })

  it('has matrices of floats and convolutions, which become matrices of 8 bits', () => {
    const graph = [
      floats('matrix', [2, 1], [0.5, -1.27]),
      floats('m.b.bias', [1], [0]),
      node('MatMul', ['x', 'matrix'], 'y'),
      node('Add', ['m.b.bias', 'y'], 'z'),
      floats('pn.c.weight', [1, 2, 2], [0.1, 0.2, 0.3, 1.27]),
      floats('pn.c.bias', [1], [1]),
      floats('m.dw.weight', [2, 1, 2], [1, 2, 3, 4]),
      floats('m.attn.in_proj_bias', [2], [5, 6]),
      floats('other', [1], [9]),
    ]
    const weights = readWeights(convertWeights(onnxModel(graph, {})))
    expect(rounded(weights.linear(row, 'm.b').values)).toEqual([-2])
    // The taps one after the other: 0.1, 0.3, then 0.2, 1.27.
    const unfolded = { values: Float32Array.of(1, 2, 3, 4), count: 1, width: 4 }
    expect(rounded(weights.linear(unfolded, 'pn.c').values)).toEqual([7.4])
    expect([...weights.vector('m.dw.weight')]).toEqual([1, 3, 2, 4])
    expect([...weights.vector('m.attn.in_proj.bias')]).toEqual([5, 6])
    expect(() => weights.vector('other')).toThrow('no tensor other')
  })
})

describe('convertWeights rejects', () => {
  it.each([
    ['a file that ends too early', heart.subarray(0, 5000), /it/],
    ['a graph that was cut', toHibariGraph(heart).subarray(0, 50_000), /not complete/],
    ['a file without a graph', Buffer.alloc(0), /contains no graph/],
    ['a graph without weights', onnxModel([], {}), /has no weights/],
    ['another zero', quantized([1], 3), /its zero is not 0/],
    ['scales of another matrix', quantized([1, 2]), /scales do not fit/],
    [
      'a product without a bias',
      onnxModel([floats('a', [1, 1], [1]), node('MatMul', ['x', 'a'], 'y')], {}),
      /product y has no bias/,
    ],
    ['weights of 16 bits', onnxModel([tensor('m.a', [1], 10, Buffer.alloc(2))], {}), /no weights/],
    [
      'a tensor with too few numbers',
      onnxModel([tensor('m.a', [9], float, Buffer.alloc(4))], {}),
      /m\.a/,
    ],
  ])('%s', (_what, file, message) => {
    expect(() => convertWeights(file)).toThrow(message)
  })
})
