import { expect, it } from 'vitest'
import { areSameWords, containsWords } from './same-words.ts'

it.each([
  ['No.', 'no', true],
  ['Say it  again!', 'say it again', true],
  ['Spater', 'später', true],
  ['SÍ', 'si', true],
  ['arrete', 'arrête', true],
  ['가', '가', true],
  ['no way', 'no', false],
  ['', 'no', false],
  // Two words of Japanese: its marks are no accents.
  ['ため', 'だめ', false],
])('"%s" has the same words as "%s", apart from accents: %s', (one, other, expected) => {
  expect(areSameWords(one, other)).toBe(expected)
})

it.each([
  ['The bus will stop here.', 'stop', true],
  ['The bus stopped here.', 'stop', false],
  ['STOP, says the sign', 'stop', true],
  ['Yesterday was a holiday. Is it open?', 'Yes', false],
  ['No thanks to you! Shall I?', 'no thanks', true],
  ['Quiere un cafe?', 'café', true],
  ['Möchtest du es später hören?', 'spater', true],
  ['Is it ten or 21?', '2', false],
  ['Да или нет', 'не', false],
  ['はいかいいえで答えてください', 'はい', true],
  ['バスはここでストップします', 'ストップ', true],
  ['電気をつけますか', 'はい', false],
  ['Anything.', '', false],
])('"%s" contains the words "%s", apart from accents: %s', (text, sentence, expected) => {
  expect(containsWords(text, sentence)).toBe(expected)
})
