/** A tensor in a file of CTranslate2. */
export interface Tensor {
  shape: number[]
  /** 16-bit floating point numbers. */
  data: Buffer
}

const float16 = 4

/**
 * Reads the weights of a model in the format of CTranslate2, version 6: a head, then each variable with its name, shape and
 * bytes. Variables of other types than 16-bit floating point numbers are settings, and left out.
 */
export function readCtranslate2(file: Buffer): Map<string, Tensor> {
  let at = 0
  const number = (bytes: number) => {
    const value = file.readUIntLE(at, bytes)
    at += bytes
    return value
  }
  const text = () => {
    const length = number(2)
    const value = file.toString('utf8', at, at + length - 1)
    at += length
    return value
  }
  const version = number(4)
  if (version !== 6) throw new Error(`The format of CTranslate2 has version ${version}, not 6`)
  text()
  number(4)
  const tensors = new Map<string, Tensor>()
  for (let count = number(4); count > 0; count--) {
    const name = text()
    const shape = Array.from({ length: number(1) }, () => number(4))
    const type = number(1)
    const bytes = number(4)
    if (type === float16) tensors.set(name, { shape, data: file.subarray(at, at + bytes) })
    at += bytes
  }
  return tensors
}
