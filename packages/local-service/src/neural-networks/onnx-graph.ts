import { readFields } from './protobuf.ts'

/** The parts of a graph in the format ONNX that are read here. */
export interface OnnxGraph {
  /** Each after those whose outputs it needs. */
  nodes: readonly OnnxNode[]
  /** The constants of 32-bit floats and 8-bit integers, by name. */
  tensors: ReadonlyMap<string, OnnxTensor>
  inputs: readonly string[]
  outputs: readonly string[]
}

export interface OnnxNode {
  operator: string
  inputs: readonly string[]
  outputs: readonly string[]
  attributes: ReadonlyMap<string, OnnxAttribute>
}

/** Each has one of these. */
export interface OnnxAttribute {
  number?: number
  tensor?: OnnxTensor
  graph?: OnnxGraph
}

export interface OnnxTensor {
  /** Empty for a single number. */
  shape: readonly number[]
  values: Float32Array | Int8Array
}

/** The fields of the messages `ModelProto`, `GraphProto`, `NodeProto`, `AttributeProto` and `TensorProto`. */
const graphField = 7
const [nodeField, tensorField, graphInputField, graphOutputField] = [1, 5, 11, 12]
const [inputField, outputField, operatorField, attributeField] = [1, 2, 4, 5]
const [firstNameField, floatField, integerField, attributeTensorField, subgraphField] = [
  1, 2, 3, 5, 6,
]
const [shapeField, typeField, floatsField, integersField, nameField, bytesField] = [
  1, 2, 4, 5, 8, 9,
]
const [floatType, int8Type] = [1, 3]

/** @throws {Error} if it is not a graph, or not a complete one. */
export function readOnnxGraph(model: Uint8Array): OnnxGraph {
  const graph = readFields(model).get(graphField)?.[0]
  if (!(graph instanceof Uint8Array)) throw new Error('it contains no graph')
  return readGraph(readFields(graph))
}

type Fields = ReturnType<typeof readFields>

function readGraph(fields: Fields): OnnxGraph {
  const namesOf = (field: number) =>
    messagesOf(fields, field).map((value) => textsOf(value, firstNameField)[0] ?? '')
  return {
    nodes: messagesOf(fields, nodeField).map(readNode),
    tensors: new Map(
      messagesOf(fields, tensorField).flatMap((tensor) => {
        const read = readTensor(tensor)
        return read ? [[textsOf(tensor, nameField)[0] ?? '', read] as const] : []
      }),
    ),
    inputs: namesOf(graphInputField),
    outputs: namesOf(graphOutputField),
  }
}

function messagesOf(fields: Fields, field: number): Fields[] {
  return bytesOf(fields, field).map(readFields)
}

function readNode(fields: Fields): OnnxNode {
  return {
    operator: textsOf(fields, operatorField)[0] ?? '',
    inputs: textsOf(fields, inputField),
    outputs: textsOf(fields, outputField),
    attributes: new Map(
      messagesOf(fields, attributeField).map((attribute) => [
        textsOf(attribute, firstNameField)[0] ?? '',
        readAttribute(attribute),
      ]),
    ),
  }
}

function readAttribute(fields: Fields): OnnxAttribute {
  const [float] = bytesOf(fields, floatField)
  const [integer] = numbersOf(fields, integerField)
  const number = float ? toFloats(float)[0] : integer
  const [tensorFields] = messagesOf(fields, attributeTensorField)
  const tensor = tensorFields && readTensor(tensorFields)
  const [graph] = messagesOf(fields, subgraphField)
  return {
    ...(number !== undefined && { number }),
    ...(tensor && { tensor }),
    ...(graph && { graph: readGraph(graph) }),
  }
}

/** @returns nothing for numbers of other types, because those are not weights. */
function readTensor(fields: Fields): OnnxTensor | undefined {
  const [type] = numbersOf(fields, typeField)
  if (type !== floatType && type !== int8Type) return undefined
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
  return { shape, values }
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
