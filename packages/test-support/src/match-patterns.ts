import { expect } from 'vitest'

// Trap: inside `toMatchObject`, Vitest takes a pattern for an object without keys, which everything matches.
expect.addEqualityTesters([
  (actual, expected) => {
    if (!(expected instanceof RegExp) || actual instanceof RegExp) return undefined
    return typeof actual === 'string' && expected.test(actual)
  },
])
