/** Rounds samples of −1…1 to 16 bits. Louder samples are clipped. */
export function toInt16(samples: Float32Array): Int16Array {
  const rounded = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    const sample = Math.round(samples[index]! * 32767)
    rounded[index] = Math.max(-32768, Math.min(32767, sample))
  }
  return rounded
}

/** Converts 16-bit samples to −1…1. */
export function fromInt16(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32768)
}

/** Writes samples of −1…1 as 16-bit little-endian PCM. */
export function toPcmBytes(samples: Float32Array): Uint8Array {
  const rounded = toInt16(samples)
  const bytes = Buffer.allocUnsafe(rounded.length * 2)
  for (let index = 0; index < rounded.length; index++) {
    bytes.writeInt16LE(rounded[index]!, index * 2)
  }
  return bytes
}

/** Reads 16-bit little-endian PCM as samples of −1…1. An odd last byte is ignored. */
export function fromPcmBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Float32Array(bytes.length >> 1)
  for (let index = 0; index < samples.length; index++) {
    samples[index] = view.getInt16(index * 2, true) / 32768
  }
  return samples
}
