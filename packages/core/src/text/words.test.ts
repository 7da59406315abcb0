import { expect, it } from 'vitest'
import { hasSeveralWords, hasSpeakable } from './words.ts'

it.each(['a', '5', '你', '— ½'])('hasSpeakable is true for %j', (text) => {
  expect(hasSpeakable(text)).toBe(true)
})

it.each(['', ' … — ', '👍', '***'])('hasSpeakable is false for %j', (text) => {
  expect(hasSpeakable(text)).toBe(false)
})

it.each([
  ['Stop it', true],
  ['ちょっと待って', true],
  ['等一下吧', true],
  [' Stop. ', false],
  ['待って', false],
  ['', false],
  ['  ', false],
])('hasSeveralWords counts the words of %j', (text, hasSeveral) => {
  expect(hasSeveralWords(text)).toBe(hasSeveral)
})
