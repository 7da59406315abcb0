import { type OnnxGraph, type OnnxTensor, readOnnxGraph } from '../../neural-networks/onnx-graph.ts'
import { type NamedTensors, writeSafetensors } from './safetensors.ts'

/** The matrix engine reads this many weights at a time. */
const widthMultiple = 8
/** A product, its conversion to floats and its scale come before its bias. */
const maxSteps = 8

/**
 * Converts a voice of hibari from the format of its maker, a graph in the format ONNX, into the file of weights that the engine
 * reads. `packages/voices/build/hibari.py` does the same for the voice Heart, to the byte.
 * @throws {Error} if it is not a voice of this family. The message continues the sentence "The voice cannot be read:".
 */
export function convertWeights(model: Uint8Array): Uint8Array {
  const graph = readOnnxGraph(model)
  const tensors: NamedTensors = new Map()
  for (const [product, matrix, scales] of productsOf(graph)) {
    addMatrix(tensors, nameOfProduct(graph, product), matrix, scales)
  }
  for (const [name, tensor] of graph.tensors) {
    if (/^(?:m|pn)\./.test(name)) addNamed(tensors, name, tensor)
  }
  if (tensors.size === 0) throw new Error('it has no weights')
  return writeSafetensors(tensors)
}

/** One row of weights for each output. */
interface Matrix {
  rows: number
  columns: number
  at(row: number, column: number): number
}

/** The matrices of the graph, each with the name of its product and, if it has weights of 8 bits, its scales. */
function* productsOf({
  nodes,
  tensors,
}: OnnxGraph): Generator<[product: string, matrix: Matrix, scales?: Float32Array]> {
  for (const { operator, inputs, outputs } of nodes) {
    const name = inputs[1] ?? ''
    const tensor = tensors.get(name)
    if (!tensor || !operator.startsWith('MatMul')) continue
    const matrix = transpose(tensor)
    const product = outputs[0] ?? ''
    if (operator === 'MatMul') yield [product, matrix]
    if (operator === 'MatMulInteger') {
      const zeroPoints = requireTensor(tensors, name.replace('_quantized', '_zero_point'))
      if (zeroPoints.values.some((value) => value !== 0)) throw new Error('its zero is not 0')
      const { values } = requireTensor(tensors, name.replace('_quantized', '_scale'))
      yield [product, matrix, scalesOf(values, matrix.rows)]
    }
  }
}

/** @returns a scale for each output. A matrix has one for all of them, or one for each. */
function scalesOf(values: ArrayLike<number>, outputs: number): Float32Array {
  if (values.length !== 1 && values.length !== outputs) throw new Error('its scales do not fit')
  return Float32Array.from({ length: outputs }, (_, row) => values[values.length === 1 ? 0 : row]!)
}

function transpose({ shape: [inputs = 0, outputs = 0], values }: OnnxTensor): Matrix {
  return { rows: outputs, columns: inputs, at: (row, column) => values[column * outputs + row]! }
}

/** Graphs do not name their matrices: the name is that of the bias that is added to the product. */
function nameOfProduct({ nodes, tensors }: OnnxGraph, product: string): string {
  let name = product
  for (let step = 0; step < maxSteps; step++) {
    const users = nodes.filter(({ inputs }) => inputs.includes(name))
    for (const { operator, inputs } of users) {
      const bias = inputs.find((input) => tensors.has(input))
      if (operator === 'Add' && bias) return bias.replace(/[._]bias$/, '')
    }
    name = users[0]?.outputs[0] ?? ''
  }
  throw new Error(`its product ${product} has no bias`)
}

/** Adds a tensor that has a name of its own. */
function addNamed(tensors: NamedTensors, name: string, { shape, values }: OnnxTensor): void {
  const [outputs = 0, inputs = 0, taps = 0] = shape
  if (shape.length !== 3) {
    tensors.set(name.replace(/_bias$/, '.bias'), { shape, values: Float32Array.from(values) })
  } else if (name.endsWith('.weight') && inputs > 1) {
    // A convolution as a product: its taps one after the other.
    const at = (row: number, column: number) =>
      values[(row * inputs + (column % inputs)) * taps + Math.floor(column / inputs)]!
    const matrix = { rows: outputs, columns: inputs * taps, at }
    addMatrix(tensors, name.slice(0, -'.weight'.length), matrix)
  } else {
    const { rows, columns, at } = transpose({ shape: [outputs, taps], values })
    const turned = Float32Array.from({ length: rows * columns }, (_, index) =>
      at(Math.floor(index / columns), index % columns),
    )
    tensors.set(name, { shape: [rows, columns], values: turned })
  }
}

/** Adds a matrix with 8 bits per weight. @param given absent: the scales that make the largest weight of each row 127. */
function addMatrix(
  tensors: NamedTensors,
  name: string,
  { rows, columns, at }: Matrix,
  given?: Float32Array,
): void {
  const scales =
    given ?? Float32Array.from({ length: rows }, (_, row) => scaleOfRow(at, row, columns))
  const width = Math.ceil(columns / widthMultiple) * widthMultiple
  const weights = new Int8Array(rows * width)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = at(row, column)
      weights[row * width + column] = given ? value : roundToEven(value / scales[row]!)
    }
  }
  tensors.set(`${name}.weight`, { shape: [rows, width], values: weights })
  tensors.set(`${name}.scale`, { shape: [rows], values: scales })
}

function scaleOfRow(at: Matrix['at'], row: number, columns: number): number {
  let largest = Math.fround(1e-9)
  for (let column = 0; column < columns; column++) {
    largest = Math.max(largest, Math.abs(at(row, column)))
  }
  return largest / 127
}

/** Halves are rounded to the even number, and the quotient to 32 bits before, as NumPy does. */
function roundToEven(quotient: number): number {
  const value = Math.fround(quotient)
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}

function requireTensor(tensors: OnnxGraph['tensors'], name: string): OnnxTensor {
  const tensor = tensors.get(name)
  if (!tensor) throw new Error(`it has no constant ${name}`)
  return tensor
}
