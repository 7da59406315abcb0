import { float, node, onnxModel, tensor } from './onnx-model.ts'

const int8 = 3

interface Header {
  [name: string]: { dtype: string; shape: number[]; data_offsets: [number, number] }
}

/**
 * Writes a voice of hibari in the format of its maker, ONNX, from the weights that our engine reads: with a scale for each output,
 * and only the products and biases of the graph.
 * @param weights a file in the format safetensors.
 */
export function toHibariGraph(weights: Buffer): Buffer {
  const dataStart = 8 + Number(weights.readBigUInt64LE())
  const header: Header = JSON.parse(weights.subarray(8, dataStart).toString())
  const data = weights.subarray(dataStart)
  const contentOf = (name: string) => {
    const [from, to] = header[name]!.data_offsets
    return data.subarray(from, to)
  }
  const parts = Object.entries(header).flatMap(([name, { dtype, shape }]) => {
    if (name.endsWith('.scale')) return []
    if (dtype === 'F32') return [tensor(name, shape, float, contentOf(name))]
    const matrix = name.slice(0, -'.weight'.length)
    return product(matrix, shape as [number, number], contentOf(name), contentOf(`${matrix}.scale`))
  })
  return onnxModel(parts, {})
}

function product(
  name: string,
  [outputs, inputs]: [number, number],
  weights: Buffer,
  scales: Buffer,
): Buffer[] {
  const turned = Buffer.alloc(weights.length)
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      turned[input * outputs + output] = weights[output * inputs + input]!
    }
  }
  const [matrix, zero] = [`matrix/${name}_quantized`, `matrix/${name}_zero_point`]
  return [
    tensor(matrix, [inputs, outputs], int8, turned),
    tensor(zero, [outputs], int8, Buffer.alloc(outputs)),
    tensor(`matrix/${name}_scale`, [outputs], float, scales),
    node(
      'MatMulInteger',
      [`${name}/input`, matrix, `${name}/input_zero`, zero],
      `${name}/integers`,
    ),
    node('Cast', [`${name}/integers`], `${name}/product`),
    node('Mul', [`${name}/product`, `${name}/scales`], `${name}/scaled`),
    node('Add', [`${name}.bias`, `${name}/scaled`], `${name}/sum`),
  ]
}
