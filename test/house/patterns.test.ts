import { expect, it } from 'vitest'

it('a pattern in an expectation is matched with the text in its place', () => {
  expect({ message: 'set a key' }).toMatchObject({ message: /key/ })
  for (const message of ['set a kee', 7, undefined]) {
    expect({ message }).not.toMatchObject({ message: /key/ })
  }
})
