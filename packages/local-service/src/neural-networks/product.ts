import { createRows, type Rows } from './rows.ts'

/**
 * WebAssembly with vectors of 128 bits, which JavaScript does not have: product.wat in base64, as
 * `npx -p wabt@1.0.39 wat2wasm product.wat -o product.wasm` compiles it. A test fails when product.wat was changed afterwards.
 */
const compiled =
  'AGFzbQEAAAABHQNgCX9/f39/f39/fwBgBH97fX0AYAZ/f39/f38AAwUEAAECAgUDAQABByYEBm1lbW9yeQIAB3Byb2R1Y3QAAAdjb21wYXJlAAIFYmxlbmQAAwqwCQTzBQQMfw57BX0BfyAIQQF0IQ8DQCAKQQFqIAdJQQJ0IRQgAiAKIAhsaiENIA0gFEECdiAIbGohDiADIApBAnRqIQsgCyoCACEjIAsgFGoqAgAhJCAEIApBAnRqIQsgCyoCACElIAsgFGoqAgAhJiAFIApBAnRqIShBACEJIAAhEANAIBAgD2ohESARIA9qIRIgEiAPaiET/QwAAAAAAAAAAAAAAAAAAAAAIRv9DAAAAAAAAAAAAAAAAAAAAAAhHP0MAAAAAAAAAAAAAAAAAAAAACEd/QwAAAAAAAAAAAAAAAAAAAAAIR79DAAAAAAAAAAAAAAAAAAAAAAhH/0MAAAAAAAAAAAAAAAAAAAAACEg/QwAAAAAAAAAAAAAAAAAAAAAISH9DAAAAAAAAAAAAAAAAAAAAAAhIkEAIQsDQCANIAtq/QEDACEVIA4gC2r9AQMAIRYgC0EBdCEMIBAgDGr9AAQAIRcgESAMav0ABAAhGCASIAxq/QAEACEZIBMgDGr9AAQAIRogGyAVIBf9ugH9rgEhGyAcIBUgGP26Af2uASEcIB0gFSAZ/boB/a4BIR0gHiAVIBr9ugH9rgEhHiAfIBYgF/26Af2uASEfICAgFiAY/boB/a4BISAgISAWIBn9ugH9rgEhISAiIBYgGv26Af2uASEiIAtBCGoiCyAISQ0ACyABIAlBAnRqKgIAIScgKCAbICMgJ5QgJRABICggFGogHyAkICeUICYQASAoIAdBAnRqISggASAJQQJ0aioCBCEnICggHCAjICeUICUQASAoIBRqICAgJCAnlCAmEAEgKCAHQQJ0aiEoIAEgCUECdGoqAgghJyAoIB0gIyAnlCAlEAEgKCAUaiAhICQgJ5QgJhABICggB0ECdGohKCABIAlBAnRqKgIMIScgKCAeICMgJ5QgJRABICggFGogIiAkICeUICYQASAoIAdBAnRqISggEyAPaiEQIAlBBGoiCSAGSQ0ACyAKQQJqIgogB0kNAAsLJQAgACADIAIgAf0bACAB/RsBaiAB/RsCIAH9GwNqarKUkjgCAAuGAQIBewJ/IARBAnQhCANA/QwAAAAAAAAAAAAAAAAAAAAAIQZBACEHA0AgBiAAIAdq/QAEACABIAdq/QAEAP3mAf3kASEGIAdBEGoiByAISQ0ACyAFIAb9HwAgBv0fAZIgBv0fAiAG/R8DkpI4AgAgBUEEaiEFIAEgAmohASADQQFrIgMNAAsLigICBXsDfyAAIANBAnRqIQ0DQP0MAAAAAAAAAAAAAAAAAAAAACEG/QwAAAAAAAAAAAAAAAAAAAAAIQf9DAAAAAAAAAAAAAAAAAAAAAAhCP0MAAAAAAAAAAAAAAAAAAAAACEJIAAhDCABIQsDQCAM/QkCACEKIAYgCiAL/QAEAP3mAf3kASEGIAcgCiAL/QAEEP3mAf3kASEHIAggCiAL/QAEIP3mAf3kASEIIAkgCiAL/QAEMP3mAf3kASEJIAsgAmohCyAMQQRqIgwgDUkNAAsgBSAG/QsEACAFIAf9CwQQIAUgCP0LBCAgBSAJ/QsEMCAFQcAAaiEFIAFBwABqIQEgBEEQayIEDQALCw=='

interface ProductExports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  product(
    inputs: number,
    inputScales: number,
    weights: number,
    weightScales: number,
    biases: number,
    outputs: number,
    rows: number,
    columns: number,
    width: number,
  ): void
  compare(
    query: number,
    keys: number,
    stride: number,
    count: number,
    size: number,
    outputs: number,
  ): void
  blend(
    shares: number,
    values: number,
    stride: number,
    count: number,
    size: number,
    outputs: number,
  ): void
}

/** A matrix in the memory of the multiplier: one row of 8-bit weights, one scale and one bias for each output. */
export interface Matrix {
  weights: number
  scales: number
  biases: number
  outputs: number
  /** A multiple of 8; the rows that are multiplied may be shorter. */
  width: number
}

// Rows are multiplied in blocks, so that the memory for them does not depend on the length of the text.
const blockRows = 32
const maxWidth = 1536
const maxOutputs = 3_008
/** Smaller for wide matrices: a sum of products with weights of 8 bits has to fit into 32 bits. */
const maxInput = 16_383
const maxSum = 2 ** 31 - 1
const maxWeight = 128
const pageBytes = 65_536

let shared: WebAssembly.Module | undefined

/** Keeps the weights of a network in its memory, and multiplies by them. */
export class Multiplier {
  readonly #exports: ProductExports
  /** Where the next tensor is kept. */
  #endBytes = 0
  readonly #inputs: number
  readonly #inputScales: number
  readonly #outputs: number

  constructor() {
    shared ??= new WebAssembly.Module(Buffer.from(compiled, 'base64'))
    this.#exports = new WebAssembly.Instance(shared, {}).exports as unknown as ProductExports
    this.#inputs = this.#reserve(blockRows * maxWidth * 2)
    this.#inputScales = this.#reserve(blockRows * 4)
    this.#outputs = this.#reserve(blockRows * maxOutputs * 4)
  }

  /** @returns where the bytes are. */
  keep(bytes: Uint8Array): number {
    const place = this.#reserve(bytes.length)
    new Uint8Array(this.#buffer).set(bytes, place)
    return place
  }

  /** @returns the 32-bit numbers at a place; valid until the next call of `keep`. */
  vector(place: number, size: number): Float32Array {
    return new Float32Array(this.#buffer, place, size)
  }

  /** @returns the product of each row and the matrix, plus the biases. */
  multiply(rows: Rows, matrix: Matrix): Rows {
    const { weights, scales, biases, outputs, width } = matrix
    const result = createRows(rows.count, outputs)
    for (let first = 0; first < rows.count; first += blockRows) {
      const count = Math.min(blockRows, rows.count - first)
      this.#quantize(rows, first, count, width)
      const { product } = this.#exports
      product(
        this.#inputs,
        this.#inputScales,
        weights,
        scales,
        biases,
        this.#outputs,
        count,
        outputs,
        width,
      )
      result.values.set(this.vector(this.#outputs, count * outputs), first * outputs)
    }
    return result
  }

  /**
   * For each row, adds the values of all rows, each as far as its key is like the query of the row.
   * @param projected a query, a key and a value in each row. @param heads parts of each that attend separately.
   * @param counts how many rows each one stands for. Default: one.
   */
  attend(projected: Rows, heads: number, counts?: Float32Array): Rows {
    const { count, width: inputWidth } = projected
    const width = inputWidth / 3
    const size = width / heads
    const inputs = this.#endBytes
    const shares = inputs + count * inputWidth * 4
    const results = Math.ceil((shares + count * 4) / 16) * 16
    this.#grow(results + count * width * 4)
    this.vector(inputs, count * inputWidth).set(projected.values)
    const { compare, blend } = this.#exports
    const likeness = this.vector(shares, count)
    const stride = inputWidth * 4
    for (let head = 0; head < heads; head++) {
      const column = inputs + head * size * 4
      for (let row = 0; row < count; row++) {
        compare(column + row * stride, column + width * 4, stride, count, size, shares)
        softmax(likeness, 1 / Math.sqrt(size), counts)
        const result = results + (row * width + head * size) * 4
        blend(shares, column + 2 * width * 4, stride, count, size, result)
      }
    }
    return { values: this.vector(results, count * width).slice(), count, width }
  }

  get #buffer(): ArrayBuffer {
    return this.#exports.memory.buffer
  }

  #reserve(bytes: number): number {
    const place = this.#endBytes
    // Vectors of 16 bytes are read fastest from multiples of 16.
    this.#endBytes = Math.ceil((place + bytes) / 16) * 16
    this.#grow(this.#endBytes)
    return place
  }

  #grow(bytes: number): void {
    const missingBytes = bytes - this.#buffer.byteLength
    if (missingBytes > 0) this.#exports.memory.grow(Math.ceil(missingBytes / pageBytes))
  }

  /** Writes rows as 16-bit numbers, each row with its own scale. */
  #quantize({ values, width }: Rows, first: number, count: number, paddedWidth: number): void {
    const quantized = new Int16Array(this.#buffer, this.#inputs, count * paddedWidth)
    const scales = new Float32Array(this.#buffer, this.#inputScales, count)
    const largestInput = Math.min(maxInput, Math.floor(maxSum / maxWeight / paddedWidth))
    for (let row = 0; row < count; row++) {
      const from = (first + row) * width
      const to = row * paddedWidth
      let largest = 1e-9
      for (let index = 0; index < width; index++) {
        const size = Math.abs(values[from + index]!)
        if (size > largest) largest = size
      }
      const factor = largestInput / largest
      scales[row] = 1 / factor
      for (let index = 0; index < width; index++) {
        quantized[to + index] = values[from + index]! * factor
      }
      quantized.fill(0, to + width, to + paddedWidth)
    }
  }
}

/** Makes shares of values that are scaled first: they are positive, and their sum is 1. A value can stand for several. */
function softmax(values: Float32Array, scale: number, counts?: Float32Array): void {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) if (value > largest) largest = value
  for (let index = 0; index < values.length; index++) {
    values[index] = Math.exp(scale * (values[index]! - largest))
  }
  if (counts) for (let index = 0; index < values.length; index++) values[index]! *= counts[index]!
  let sum = 0
  for (const value of values) sum += value
  for (let index = 0; index < values.length; index++) values[index]! /= sum
}
