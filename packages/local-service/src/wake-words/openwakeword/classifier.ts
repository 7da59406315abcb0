import { type OnnxGraph, type OnnxNode, readOnnxGraph } from '../../neural-networks/onnx-graph.ts'
import { embeddingSize } from './speech-embedding.ts'

/** The network of one wake word, as openWakeWord trains it: some layers that see the embeddings of the last seconds at once. */
export interface Classifier {
  /** How many embeddings it sees. */
  frames: number
  /** @returns 0…1: the probability that somebody has just said the wake word. */
  classify(embeddings: Float32Array): number
}

type Vector = Float32Array | Int8Array

/**
 * Reads a graph in the format ONNX.
 * @throws {Error} if it is no such network. The message continues the sentence "The wake word is skipped:".
 */
export function readClassifier(model: Uint8Array): Classifier {
  const graph = readGraph(model)
  const [input = ''] = graph.inputs
  const frames = inputSizeOf(graph) / embeddingSize
  if (!Number.isInteger(frames) || frames < 1) {
    throw new Error(
      `it does not take embeddings of ${embeddingSize} numbers, as those of openWakeWord do`,
    )
  }
  const classify = (embeddings: Float32Array): number => {
    const [score, ...more] = run(graph, new Map([[input, embeddings]]))
    if (score === undefined || more.length > 0) throw new Error('it has not exactly one output')
    return score
  }
  // An operator that is not known is reported now.
  const trial = classify(new Float32Array(frames * embeddingSize))
  if (!(trial >= 0 && trial <= 1)) throw new Error('its output is not a probability')
  return { frames, classify }
}

function readGraph(model: Uint8Array): OnnxGraph {
  try {
    return readOnnxGraph(model)
  } catch (error) {
    throw new Error(`it is no complete graph in the format ONNX: ${(error as Error).message}`)
  }
}

/** How many numbers the first layer takes. */
function inputSizeOf({ nodes, tensors }: OnnxGraph): number {
  const first = nodes.find(({ operator }) => operator === 'Gemm' || operator === 'MatMul')
  if (!first) throw new Error('it has no dense layer')
  const { shape = [] } = tensors.get(first.inputs[1]!) ?? {}
  return (isTransposed(first) ? shape[1] : shape[0]) ?? 0
}

/** @returns the first output. @param outer the values that are known already. */
function run(graph: OnnxGraph, outer: ReadonlyMap<string, Vector>): Vector {
  const values = new Map(outer)
  for (const [name, tensor] of graph.tensors) values.set(name, tensor.values)
  for (const node of graph.nodes) values.set(node.outputs[0]!, apply(node, values))
  return values.get(graph.outputs[0]!) ?? new Float32Array()
}

function apply(node: OnnxNode, values: ReadonlyMap<string, Vector>): Vector {
  const { operator, inputs, attributes } = node
  const inputOf = (index: number): Vector => values.get(inputs[index] ?? '') ?? new Float32Array()
  if (operator === 'If') {
    const branch = attributes.get(inputOf(0)[0] ? 'then_branch' : 'else_branch')?.graph
    if (!branch) throw new Error('a branch of it is missing')
    return run(branch, values)
  }
  if (operator === 'Constant') return attributes.get('value')?.tensor?.values ?? new Float32Array()
  if (unchanging.has(operator)) return inputOf(0)
  const calculate = ofOne[operator]
  if (calculate) return Float32Array.from(inputOf(0), calculate)
  const combine = ofTwo[operator]
  if (combine) return combinePairs(inputOf(0), inputOf(1), combine)
  if (operator === 'ReduceMean') return Float32Array.of(meanOf(inputOf(0)))
  if (operator === 'LayerNormalization') {
    const epsilon = attributes.get('epsilon')?.number ?? 1e-5
    return normalize(inputOf(0), inputOf(1), inputOf(2), epsilon)
  }
  if (operator === 'Gemm' || operator === 'MatMul') {
    return multiply(inputOf(0), inputOf(1), inputOf(2), isTransposed(node))
  }
  throw new Error(`its operator ${operator} is not known here. Train it as a dense network`)
}

/** They change the shape or the type. All values are vectors here. */
const unchanging = new Set([
  'Cast',
  'Dropout',
  'Flatten',
  'Identity',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
])

const ofOne: Record<string, (value: number) => number> = {
  Relu: (value) => Math.max(value, 0),
  Sigmoid: (value) => 1 / (1 + Math.exp(-value)),
  Sqrt: Math.sqrt,
  Tanh: Math.tanh,
}

const ofTwo: Record<string, (one: number, other: number) => number> = {
  Add: (one, other) => one + other,
  Div: (one, other) => one / other,
  GreaterOrEqual: (one, other) => Number(one >= other),
  Mul: (one, other) => one * other,
  Pow: (one, other) => one ** other,
  Sub: (one, other) => one - other,
}

/** A single number is combined with each of the others. */
function combinePairs(
  first: Vector,
  second: Vector,
  combine: (one: number, other: number) => number,
): Float32Array {
  const [one, other] = [first.length === 1 ? 0 : 1, second.length === 1 ? 0 : 1]
  return Float32Array.from({ length: Math.max(first.length, second.length) }, (_, index) =>
    combine(first[index * one]!, second[index * other]!),
  )
}

function meanOf(values: Vector): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

function normalize(values: Vector, factors: Vector, biases: Vector, epsilon: number): Float32Array {
  const mean = meanOf(values)
  const variance = meanOf(Float32Array.from(values, (value) => (value - mean) ** 2))
  const scale = 1 / Math.sqrt(variance + epsilon)
  return Float32Array.from(values, (value, index) => {
    return (value - mean) * scale * factors[index]! + (biases[index] ?? 0)
  })
}

const isTransposed = ({ attributes }: OnnxNode): boolean => attributes.get('transB')?.number === 1

/** @param isTransposed whether the weights of each output follow each other, or those of each input. */
function multiply(
  inputs: Vector,
  weights: Vector,
  biases: Vector,
  isTransposed: boolean,
): Float32Array {
  const outputs = weights.length / inputs.length
  const [perOutput, perInput] = isTransposed ? [inputs.length, 1] : [1, outputs]
  return Float32Array.from({ length: outputs }, (_, output) => {
    let sum = biases[output] ?? 0
    for (let index = 0; index < inputs.length; index++) {
      sum += inputs[index]! * weights[output * perOutput + index * perInput]!
    }
    return sum
  })
}
