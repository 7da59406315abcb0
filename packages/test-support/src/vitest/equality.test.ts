import { expect, it } from 'vitest'

it('a pattern inside toMatchObject is matched against the text', () => {
  expect({ message: 'set a key' }).toMatchObject({ message: /key/ })
  for (const message of ['set a kee', 7, undefined]) {
    expect({ message }).not.toMatchObject({ message: /key/ })
  }
})

it('binary data is compared with its type and each of its bytes', () => {
  const sound = Int16Array.of(1, 2, 3)
  expect(sound).toEqual(Int16Array.of(1, 2, 3))
  expect(sound.subarray(1)).toEqual(Int16Array.of(2, 3))
  expect(sound).not.toEqual(Int16Array.of(1, 2, 4))
  expect(sound).not.toEqual(Int16Array.of(1, 2))
  expect(sound).not.toEqual(Uint16Array.of(1, 2, 3))
})
