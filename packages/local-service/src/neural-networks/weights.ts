import { type Matrix, Multiplier } from './product.ts'
import type { Rows } from './rows.ts'

/** The numbers of a network: vectors, and matrices that rows are multiplied by. */
export interface Weights {
  vector(name: string): Float32Array
  /** How many values each row of a table has. */
  widthOf(name: string): number
  /**
   * @param name that of a matrix, its scales and its biases.
   * @returns the product of each row and the matrix, plus the biases.
   */
  linear(rows: Rows, name: string): Rows
  /** See `Multiplier`. */
  attend(projected: Rows, heads: number, counts?: Float32Array): Rows
}

interface Tensor {
  shape: readonly number[]
  place: number
}

interface Header {
  [name: string]: { shape: readonly number[]; data_offsets: readonly [number, number] }
}

/**
 * Reads a file in the format safetensors. Matrices have 8 bits per weight: one row per output, padded with zeros to a width that
 * is a multiple of 8, with one scale per row. All other tensors are 32-bit floating-point numbers.
 * @throws {Error} if the file is damaged, as far as its form shows it.
 */
export function readWeights(file: Uint8Array): Weights {
  const multiplier = new Multiplier()
  const tensors = keepTensors(file, multiplier)
  const find = (name: string): Tensor => {
    const tensor = tensors.get(name)
    if (!tensor) throw new Error(`The network has no tensor ${name}`)
    return tensor
  }
  const matrixOf = (name: string): Matrix => {
    const { shape, place } = find(`${name}.weight`)
    const [outputs = 0, width = 0] = shape
    const [scales, biases] = [find(`${name}.scale`).place, find(`${name}.bias`).place]
    return { weights: place, scales, biases, outputs, width }
  }
  return {
    vector(name) {
      const { shape, place } = find(name)
      return multiplier.vector(
        place,
        shape.reduce((product, length) => product * length, 1),
      )
    },
    widthOf: (name) => find(name).shape[1]!,
    linear: (rows, name) => multiplier.multiply(rows, matrixOf(name)),
    attend: (projected, heads, counts) => multiplier.attend(projected, heads, counts),
  }
}

function keepTensors(file: Uint8Array, multiplier: Multiplier): ReadonlyMap<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const dataStart = 8 + Number(view.getBigUint64(0, true))
  const header = JSON.parse(Buffer.from(file.subarray(8, dataStart)).toString()) as Header
  const data = file.subarray(dataStart)
  const named = Object.entries(header).filter(([name]) => name !== '__metadata__')
  return new Map(
    named.map(
      ([
        name,
        {
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        if (!(to <= data.length)) throw new Error(`The file ends before the end of ${name}`)
        return [name, { shape, place: multiplier.keep(data.subarray(from, to)) }]
      },
    ),
  )
}
