import { expect } from 'vitest'

// Trap: inside `toMatchObject`, Vitest treats a RegExp as an object without keys, which matches everything.
expect.addEqualityTesters([
  (actual, expected) => {
    if (!(expected instanceof RegExp) || actual instanceof RegExp) return undefined
    return typeof actual === 'string' && expected.test(actual)
  },
])
