import { expect, it } from 'vitest'
import { firstCharacters } from './first-characters.ts'

it('a text is cut before a character of two code units, not within it', () => {
  const text = 'a😀b'
  const beginnings = [0, 1, 2, 3, 4, 5].map((length) => firstCharacters(text, length))
  expect(beginnings).toEqual(['', 'a', 'a', 'a😀', 'a😀b', 'a😀b'])
})

it('a text that is not cut stays as it is', () => {
  expect(firstCharacters('a\ud83d', 2)).toBe('a\ud83d')
})
