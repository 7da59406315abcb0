import { expect, it } from 'vitest'

it('a pattern inside toMatchObject is matched against the text', () => {
  expect({ message: 'set a key' }).toMatchObject({ message: /key/ })
  for (const message of ['set a kee', 7, undefined]) {
    expect({ message }).not.toMatchObject({ message: /key/ })
  }
})
