/** The element types of ONNX tensors. */
export const float = 1
export const int64 = 7

/**
 * Writes a model in the format ONNX, the protobuf message `ModelProto`.
 * @param graph the nodes, constants, inputs and outputs.
 * @param metadata what sherpa-onnx reads about the model.
 * @param operators the version of the operators.
 */
export function onnxModel(
  graph: readonly Buffer[],
  metadata: Readonly<Record<string, string | number>>,
  operators = 13,
): Buffer {
  return Buffer.concat([
    integer(1, 8),
    message(8, [text(1, ''), integer(2, operators)]),
    message(7, [...graph, text(2, 'tiny')]),
    ...Object.entries(metadata).map(([key, value]) =>
      message(14, [text(1, key), text(2, `${value}`)]),
    ),
  ])
}

/** An operation of the graph. */
export function node(
  operator: string,
  inputs: string[],
  output: string,
  attributes: Buffer[] = [],
) {
  const names = [...inputs.map((input) => text(1, input)), text(2, output), text(3, output)]
  return message(1, [...names, text(4, operator), ...attributes])
}

export function integerAttribute(name: string, value: number): Buffer {
  return message(5, [text(1, name), integer(3, value), integer(20, 2)])
}

export function integersAttribute(name: string, values: readonly number[]): Buffer {
  return message(5, [text(1, name), ...values.map((value) => integer(8, value)), integer(20, 7)])
}

/** A constant. */
export function floats(name: string, shape: number[], numbers: readonly number[]): Buffer {
  return tensor(name, shape, float, Buffer.from(Float32Array.from(numbers).buffer))
}

/** A constant. */
export function integers(name: string, shape: number[], numbers: readonly number[]): Buffer {
  return tensor(name, shape, int64, Buffer.from(BigInt64Array.from(numbers, BigInt).buffer))
}

/** A constant of any type, such as 10 for 16-bit floating point numbers. */
export function tensor(name: string, shape: number[], type: number, content: Buffer): Buffer {
  return message(5, [
    ...shape.map((size) => integer(1, size)),
    integer(2, type),
    text(8, name),
    bytes(9, content),
  ])
}

/** Sizes that depend on the input have a name. */
type Shape = readonly (number | string)[]

export function input(name: string, type: number, shape: Shape): Buffer {
  return message(11, value(name, type, shape))
}

export function output(name: string, type: number, shape: Shape): Buffer {
  return message(12, value(name, type, shape))
}

function value(name: string, type: number, shape: Shape): Buffer[] {
  const sizes = shape.map((size) =>
    message(1, [typeof size === 'number' ? integer(1, size) : text(2, size)]),
  )
  return [text(1, name), message(2, [message(1, [integer(1, type), message(2, sizes)])])]
}

// Protobuf: a field is its number and type, then a varint, or a length and that number of bytes.

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)])
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content])
}

function message(field: number, parts: Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts))
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content))
}

function varint(value: number): Buffer {
  const groups: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128)
  return Buffer.from([...groups, rest])
}
