import { expect, it } from 'vitest'
import { hasSeveralWords } from './several-words.ts'

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
