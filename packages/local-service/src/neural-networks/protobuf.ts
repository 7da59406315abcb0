/** A field that is written as a number. */
export const numberType = 0
/** A field that is written as a length and bytes. */
export const bytesType = 2
/** Fields that are written as 8 and as 4 bytes. */
const [longType, shortType] = [1, 5]

/**
 * Reads a number, which is written in groups of seven bits.
 * @returns it and the place after it, or nothing if the bytes end before it does.
 */
export function readVarint(
  bytes: Uint8Array,
  start: number,
): { value: number; end: number } | undefined {
  let value = 0
  let at = start
  for (let factor = 1; at < bytes.length; factor *= 128) {
    const group = bytes[at++]!
    value += (group % 128) * factor
    if (group < 128) return { value, end: at }
  }
  return undefined
}

/**
 * Reads a message of protobuf, without its schema. A library would need the schema of ONNX, and is larger than this.
 * @returns the values of each field, in order: numbers, or bytes, which share the memory of the message.
 * @throws {Error} if the message is not complete.
 */
export function readFields(message: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>()
  let at = 0
  const readNumber = () => {
    const number = readVarint(message, at)
    if (!number) throw new Error('it is not complete')
    at = number.end
    return number.value
  }
  const readBytes = (length: number) => {
    if (at + length > message.length) throw new Error('it is not complete')
    at += length
    return message.subarray(at - length, at)
  }
  const readValue = (type: number) => {
    if (type === numberType) return readNumber()
    if (type === bytesType) return readBytes(readNumber())
    if (type === longType || type === shortType) return readBytes(type === longType ? 8 : 4)
    throw new Error(`it has a field of the type ${type}`)
  }
  while (at < message.length) {
    const tag = readNumber()
    const field = Math.floor(tag / 8)
    const values = fields.get(field) ?? []
    values.push(readValue(tag % 8))
    fields.set(field, values)
  }
  return fields
}
