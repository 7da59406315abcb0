/** How a field is written: as a number, as 8 or 4 bytes, or as a length and bytes. */
const [numberType, longType, bytesType, shortType] = [0, 1, 2, 5]

/**
 * Reads a message of protobuf, without its schema. A library would need the schema of ONNX, and is larger than this.
 * @returns the values of each field, in order: numbers, or bytes, which share the memory of the message.
 * @throws {Error} if the message is not complete.
 */
export function readFields(message: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>()
  let at = 0
  const readNumber = () => {
    let value = 0
    for (let factor = 1; at < message.length; factor *= 128) {
      const group = message[at++]!
      value += (group % 128) * factor
      if (group < 128) return value
    }
    throw new Error('it is not complete')
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
