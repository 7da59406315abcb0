import { expect } from 'vitest'

// Vitest compares the elements of binary data one by one, which takes most of a second for ten seconds of sound.
expect.addEqualityTesters([
  (one, other) => {
    if (!ArrayBuffer.isView(one) || !ArrayBuffer.isView(other)) return undefined
    if (one.constructor !== other.constructor) return undefined
    // Vitest finds and shows the difference.
    return bytesOf(one).equals(bytesOf(other)) || undefined
  },
])

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
