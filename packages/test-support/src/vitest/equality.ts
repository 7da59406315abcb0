import { expect } from 'vitest'

expect.addEqualityTesters([areSameBytes, matchesPattern])

/** Vitest compares the elements of binary data one by one, which takes most of a second for ten seconds of sound. */
function areSameBytes(one: unknown, other: unknown): true | undefined {
  if (!ArrayBuffer.isView(one) || !ArrayBuffer.isView(other)) return undefined
  if (one.constructor !== other.constructor) return undefined
  // Vitest finds and shows the difference.
  return bytesOf(one).equals(bytesOf(other)) || undefined
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * Lets a regular expression inside an expected object match a string. Trap: without this, `toMatchObject` treats a RegExp
 * as an object without keys, which matches everything.
 */
function matchesPattern(actual: unknown, expected: unknown): boolean | undefined {
  if (!(expected instanceof RegExp) || actual instanceof RegExp) return undefined
  return typeof actual === 'string' && expected.test(actual)
}
