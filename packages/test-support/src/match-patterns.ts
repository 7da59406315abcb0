import { expect } from 'vitest'

// Lets a regular expression inside an expected object match a string. Trap: without this, `toMatchObject` treats a RegExp
// as an object without keys, which matches everything.
expect.addEqualityTesters([
  (actual, expected) => {
    if (!(expected instanceof RegExp) || actual instanceof RegExp) return undefined
    return typeof actual === 'string' && expected.test(actual)
  },
])
