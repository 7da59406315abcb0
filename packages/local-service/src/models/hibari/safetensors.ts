/** Numbers with a shape, by name. */
export type NamedTensors = Map<
  string,
  { shape: readonly number[]; values: Float32Array | Int8Array }
>

/** The header is padded with spaces, so that the numbers begin at a multiple of this. */
const alignment = 8

/**
 * Writes a file in the format safetensors: the length of a header in JSON, the header, then all numbers. As its library does,
 * first 32-bit floats, then 8-bit integers, each by name.
 */
export function writeSafetensors(tensors: NamedTensors): Uint8Array {
  const sorted = [...tensors].sort(([name, { values }], [other, { values: others }]) => {
    const bySize = others.BYTES_PER_ELEMENT - values.BYTES_PER_ELEMENT
    return bySize || (name < other ? -1 : 1)
  })
  let end = 0
  const entries = sorted.map(([name, { shape, values }]) => {
    const start = end
    end += values.byteLength
    const dtype = values instanceof Float32Array ? 'F32' : 'I8'
    return [name, { dtype, shape, data_offsets: [start, end] }] as const
  })
  const json = Buffer.from(JSON.stringify(Object.fromEntries(entries)))
  const padded = Math.ceil(json.length / alignment) * alignment
  const header = Buffer.concat([json, Buffer.alloc(padded - json.length, ' ')])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  const numbers = sorted.map(
    ([
      ,
      {
        values: { buffer, byteOffset, byteLength },
      },
    ]) => Buffer.from(buffer, byteOffset, byteLength),
  )
  return Buffer.concat([length, header, ...numbers])
}
