import {
  float,
  floats,
  integerAttribute,
  integers,
  integersAttribute,
  node,
  tensor,
} from '@parlando/test-support/local-service/models/onnx-model'
import type { Tensor } from './ctranslate2.ts'

const float16 = 10
/** The width of an attention head of Whisper. */
export const headSize = 64

/** A graph of ONNX that grows: names its values, and adds operations and weights. Each method returns the name of its result. */
export class OnnxGraph {
  readonly parts: Buffer[] = []
  readonly #weights: ReadonlyMap<string, Tensor>
  readonly #used = new Map<string, string>()
  #count = 0

  constructor(weights: ReadonlyMap<string, Tensor>) {
    this.#weights = weights
  }

  add(operator: string, inputs: string[], attributes: Buffer[] = [], name?: string): string {
    const result = name ?? `v${this.#count++}`
    this.parts.push(node(operator, inputs, result, attributes))
    return result
  }

  constant(numbers: readonly number[], isFloat = false): string {
    const name = `c${this.#count++}`
    const shape = isFloat && numbers.length === 1 ? [] : [numbers.length]
    this.parts.push(isFloat ? floats(name, shape, numbers) : integers(name, shape, numbers))
    return name
  }

  /** A weight as a 32-bit value. */
  weight(name: string): string {
    const known = this.#used.get(name)
    if (known) return known
    const { shape, data } = this.#weights.get(name)!
    this.parts.push(tensor(`${name}/16`, shape, float16, data))
    this.#used.set(name, this.add('Cast', [`${name}/16`], [integerAttribute('to', float)], name))
    return name
  }

  /** A weight with rows and columns exchanged. */
  transposed(name: string): string {
    return this.#permute(this.weight(name), [1, 0])
  }

  linear(x: string, name: string): string {
    const product = this.add('MatMul', [x, this.transposed(`${name}/weight`)])
    const hasBias = this.#weights.has(`${name}/bias`)
    return hasBias ? this.add('Add', [product, this.weight(`${name}/bias`)]) : product
  }

  norm(x: string, name: string): string {
    const scale = this.weight(`${name}/gamma`)
    return this.add('LayerNormalization', [x, scale, this.weight(`${name}/beta`)])
  }

  gelu(x: string): string {
    const half = this.add('Mul', [x, this.constant([0.5], true)])
    const error = this.add('Erf', [this.add('Mul', [x, this.constant([Math.SQRT1_2], true)])])
    return this.add('Mul', [half, this.add('Add', [error, this.constant([1], true)])])
  }

  /** A part of the last axis of a value, or of another one. */
  slice(x: string, start: string, end: string, axis = 2): string {
    return this.add('Slice', [x, start, end, this.constant([axis])])
  }

  /** The last axis in equal parts, of this size. */
  divide(x: string, size: number, parts: number): [string, string, string] {
    const cut = (part: number) =>
      this.slice(x, this.constant([part * size]), this.constant([(part + 1) * size]))
    return Array.from({ length: parts }, (_, part) => cut(part)) as [string, string, string]
  }

  attend(query: string, keys: string, values: string, mask?: string): string {
    const queries = this.#heads(query, [0, 2, 1, 3])
    const scores = this.add('MatMul', [queries, this.#heads(keys, [0, 2, 3, 1])])
    const scaled = this.add('Mul', [scores, this.constant([headSize ** -0.5], true)])
    const shares = this.add('Softmax', [mask ? this.add('Add', [scaled, mask]) : scaled])
    const heard = this.add('MatMul', [shares, this.#heads(values, [0, 2, 1, 3])])
    const joined = this.#permute(heard, [0, 2, 1, 3])
    return this.add('Reshape', [joined, this.constant([0, 0, -1])])
  }

  feedForward(x: string, name: string): string {
    const inner = this.linear(this.norm(x, `${name}/layer_norm`), `${name}/linear_0`)
    return this.add('Add', [x, this.linear(this.gelu(inner), `${name}/linear_1`)])
  }

  /** Joins a value of each layer in a new first axis. */
  stack(values: readonly string[], name: string): string {
    const raised = values.map((value) => this.add('Unsqueeze', [value, this.constant([0])]))
    return this.add('Concat', raised, [integerAttribute('axis', 0)], name)
  }

  #heads(x: string, order: number[]): string {
    return this.#permute(this.add('Reshape', [x, this.constant([0, 0, -1, headSize])]), order)
  }

  #permute(x: string, order: number[]): string {
    return this.add('Transpose', [x], [integersAttribute('perm', order)])
  }
}
