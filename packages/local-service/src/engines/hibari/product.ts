import { createRows, type Rows } from './rows.ts'

/**
 * Multiplies rows by matrices: WebAssembly with vectors of 128 bits, which JavaScript does not have. Compiled from product.wat
 * by wat2wasm 1.0.39.
 */
const compiled =
  'AGFzbQEAAAABFQJgCX9/f39/f39/fwBgBX97fX1/AAMDAgABBQMBAAEHFAIGbWVtb3J5AgAHcHJvZHVjdAAACvMDAsQDBAl/BXsCfQF/IAhBAXQhDQNAIAMgCkECdGoqAgAhFyAEIApBAnRqKgIAIRhBACEJIAAhDgNAIA4gDWohDyAPIA1qIRAgECANaiER/QwAAAAAAAAAAAAAAAAAAAAAIRP9DAAAAAAAAAAAAAAAAAAAAAAhFP0MAAAAAAAAAAAAAAAAAAAAACEV/QwAAAAAAAAAAAAAAAAAAAAAIRZBACELIAIgCiAIbGohDANAIAwgC2r9AQMAIRIgEyASIA4gC0EBdGr9AAQA/boB/a4BIRMgFCASIA8gC0EBdGr9AAQA/boB/a4BIRQgFSASIBAgC0EBdGr9AAQA/boB/a4BIRUgFiASIBEgC0EBdGr9AAQA/boB/a4BIRYgC0EIaiILIAhJDQALIAUgCSAHbCAKakECdGohGSAZIBMgFyAYIAEgCUECdGoQASAZIAdBAnRqIRkgGSAUIBcgGCABIAlBAWpBAnRqEAEgGSAHQQJ0aiEZIBkgFSAXIBggASAJQQJqQQJ0ahABIBkgB0ECdGohGSAZIBYgFyAYIAEgCUEDakECdGoQASARIA1qIQ4gCUEEaiIJIAZJDQALIApBAWoiCiAHSQ0ACwsrACAAIAMgAiAEKgIAlCAB/RsAIAH9GwFqIAH9GwIgAf0bA2pqspSSOAIACw=='

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
const maxWidth = 912
const maxOutputs = 3_008
/** With larger inputs, a sum of 912 products with weights of 8 bits does not fit into 32 bits. */
const maxInput = 16_383
const pageBytes = 65_536

let shared: WebAssembly.Module | undefined

/** Keeps the weights of a voice in its memory, and multiplies by them. */
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

  get #buffer(): ArrayBuffer {
    return this.#exports.memory.buffer
  }

  #reserve(bytes: number): number {
    const place = this.#endBytes
    // Vectors of 16 bytes are read fastest from multiples of 16.
    this.#endBytes = Math.ceil((place + bytes) / 16) * 16
    const missingBytes = this.#endBytes - this.#buffer.byteLength
    if (missingBytes > 0) this.#exports.memory.grow(Math.ceil(missingBytes / pageBytes))
    return place
  }

  /** Writes rows as 16-bit numbers, each row with its own scale. */
  #quantize({ values, width }: Rows, first: number, count: number, paddedWidth: number): void {
    const quantized = new Int16Array(this.#buffer, this.#inputs, count * paddedWidth)
    const scales = new Float32Array(this.#buffer, this.#inputScales, count)
    for (let row = 0; row < count; row++) {
      const from = (first + row) * width
      const to = row * paddedWidth
      let largest = 1e-9
      for (let index = 0; index < width; index++) {
        const size = Math.abs(values[from + index]!)
        if (size > largest) largest = size
      }
      const factor = maxInput / largest
      scales[row] = 1 / factor
      for (let index = 0; index < width; index++) {
        quantized[to + index] = values[from + index]! * factor
      }
      quantized.fill(0, to + width, to + paddedWidth)
    }
  }
}
