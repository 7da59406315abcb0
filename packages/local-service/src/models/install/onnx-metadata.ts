import { appendFile, type FileHandle, open } from 'node:fs/promises'
import { bytesType, numberType, readVarint } from '../../neural-networks/protobuf.ts'
import { ModelError } from '../catalogue/model-error.ts'

/** Fields of the protobuf message `ModelProto`, which a file of ONNX is. */
const graphField = 7
const metadataField = 14
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
  const head = buffer.subarray(0, bytesRead)
  const tag = readVarint(head, 0)
  // The length of the bytes or, in a field of the other type, its number.
  const second = tag && readVarint(head, tag.end)
  if (!tag || !second) throw damaged(path)
  const type = tag.value % 8
  if (type !== numberType && type !== bytesType) throw damaged(path)
  const length = type === bytesType ? second.value : 0
  return { field: Math.floor(tag.value / 8), end: position + second.end + length }
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
