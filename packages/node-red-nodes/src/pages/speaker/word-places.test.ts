import { expect, it } from 'vitest'
import { createWordFinder } from './word-places.ts'

const placesOf = (text: string, words: readonly string[]) => {
  const find = createWordFinder(text)
  return words.map(find).map((place) => place && text.slice(place.start, place.end))
}

it('the words of a text are found in their order', () => {
  const text = 'To be, or not to be.'
  const find = createWordFinder(text)
  expect(['To', 'be,', 'or', 'not', 'to', 'be.'].map(find).map((place) => place?.start)).toEqual([
    0, 3, 7, 10, 14, 17,
  ])
})

it('a word that is not in the text does not hide the words after it', () => {
  expect(placesOf('At 5 o’clock.', ['At', 'five', '', ' ', 'o’clock.'])).toEqual([
    'At',
    undefined,
    undefined,
    undefined,
    'o’clock.',
  ])
  expect(placesOf(`a ${'-'.repeat(200)} b`, ['a', 'b'])).toEqual(['a', undefined])
})
