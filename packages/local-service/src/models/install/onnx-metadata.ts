import { appendFile, type FileHandle, open } from 'node:fs/promises'
import { ModelError } from '../catalogue/model-error.ts'

/** Fields of the protobuf message `ModelProto`, which a file of ONNX is. */
const graphField = 7
const metadataField = 14
/** How a field is written: as a number, or as a length and bytes. */
const numberType = 0
const bytesType = 2
/** Two numbers of 64 bits, in groups of seven bits: a field's tag and its length. */
const headBytes = 20

/**
 * Adds metadata to a model that has none. Protobuf allows fields at the end of a file, so nothing else is rewritten.
 * @throws {ModelError} if the file is not a complete model in the format ONNX.
 */
export async function addOnnxMetadata(
  path: string,
  metadata: Readonly<Record<string, string | number>>,
): Promise<void> {
  const fields = await readFields(path)
  if (!fields.has(graphField)) throw damaged(path)
  if (fields.has(metadataField)) return
  const entries = Object.entries(metadata).map(([key, value]) =>
    bytes(metadataField, Buffer.concat([text(1, key), text(2, `${value}`)])),
  )
  await appendFile(path, Buffer.concat(entries))
}

/** @returns the numbers of the message's fields. */
async function readFields(path: string): Promise<Set<number>> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const found = new Set<number>()
    let position = 0
    while (position < size) {
      const { field, end } = await readField(file, position, path)
      found.add(field)
      position = end
    }
    if (position !== size) throw damaged(path)
    return found
  } finally {
    await file.close()
  }
}

async function readField(file: FileHandle, position: number, path: string) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, position)
  let at = 0
  const number = () => {
    let value = 0
    for (let factor = 1; at < bytesRead; factor *= 128) {
      const group = buffer[at++]!
      value += (group % 128) * factor
      if (group < 128) return value
    }
    throw damaged(path)
  }
  const tag = number()
  const type = tag % 8
  if (type !== numberType && type !== bytesType) throw damaged(path)
  const length = number()
  return { field: Math.floor(tag / 8), end: position + at + (type === bytesType ? length : 0) }
}

function damaged(path: string): ModelError {
  return new ModelError('DAMAGED', `${path} is not a complete model (ONNX). Download it again`)
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + bytesType), varint(content.length), content])
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content))
}

function varint(value: number): Buffer {
  const groups: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128)
  return Buffer.from([...groups, rest])
}
