import { readFields } from './protobuf.ts'

/** The parts of a graph in the format ONNX that its weights are read from. */
export interface OnnxGraph {
  nodes: readonly OnnxNode[]
  /** The constants of 32-bit floats and 8-bit integers, by name. */
  tensors: ReadonlyMap<string, OnnxTensor>
}

export interface OnnxNode {
  operator: string
  inputs: readonly string[]
  outputs: readonly string[]
}

export interface OnnxTensor {
  /** Empty for a single number. */
  shape: readonly number[]
  values: Float32Array | Int8Array
}

/** The fields of the messages `ModelProto`, `GraphProto`, `NodeProto` and `TensorProto`. */
const graphField = 7
const [nodeField, tensorField] = [1, 5]
const [inputField, outputField, operatorField] = [1, 2, 4]
const [shapeField, typeField, floatsField, integersField, nameField, bytesField] = [
  1, 2, 4, 5, 8, 9,
]
const [floatType, int8Type] = [1, 3]

/** @throws {Error} if it is not a graph, or not a complete one. */
export function readOnnxGraph(model: Uint8Array): OnnxGraph {
  const graph = readFields(model).get(graphField)?.[0]
  if (!(graph instanceof Uint8Array)) throw new Error('it contains no graph')
  const fields = readFields(graph)
  return {
    nodes: messagesOf(fields, nodeField).map(readNode),
    tensors: new Map(messagesOf(fields, tensorField).flatMap(readTensor)),
  }
}

type Fields = ReturnType<typeof readFields>

function messagesOf(fields: Fields, field: number): Fields[] {
  return bytesOf(fields, field).map(readFields)
}

function readNode(fields: Fields): OnnxNode {
  return {
    operator: textsOf(fields, operatorField)[0] ?? '',
    inputs: textsOf(fields, inputField),
    outputs: textsOf(fields, outputField),
  }
}

/** @returns nothing for numbers of other types, because those are not weights. */
function readTensor(fields: Fields): [name: string, tensor: OnnxTensor][] {
  const [type] = numbersOf(fields, typeField)
  if (type !== floatType && type !== int8Type) return []
  const [name = ''] = textsOf(fields, nameField)
  const shape = numbersOf(fields, shapeField)
  const [content] = bytesOf(fields, bytesField)
  const values =
    type === floatType
      ? toFloats(content ?? joined(fields, floatsField))
      : // Without bytes, a protobuf list: zeros are the only numbers that networks write that way.
        Int8Array.from(content ?? joined(fields, integersField))
  const size = shape.reduce((product, length) => product * length, 1)
  if (values.length !== size) throw new Error(`its constant ${name} has another size`)
  return [[name, { shape, values }]]
}

function numbersOf(fields: Fields, field: number): number[] {
  return (fields.get(field) ?? []).filter((value) => typeof value === 'number')
}

/** Copied, because numbers of 4 bytes must begin at a multiple of 4. */
function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

function joined(fields: Fields, field: number): Uint8Array {
  return Buffer.concat(bytesOf(fields, field))
}

function bytesOf(fields: Fields, field: number): Uint8Array[] {
  return (fields.get(field) ?? []).filter((value) => value instanceof Uint8Array)
}

function textsOf(fields: Fields, field: number): string[] {
  return bytesOf(fields, field).map((bytes) => Buffer.from(bytes).toString())
}
