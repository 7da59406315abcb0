import { expect, it } from 'vitest'
import { readHeardLanguage, toWhisperLanguage } from './whisper-languages.ts'

it.each([
  ['de', 'de'],
  ['german', 'de'],
  ['Haitian Creole', 'ht'],
  ['myanmar', 'my'],
  ['<|zh|>', 'zh'],
  ['EN_US', 'en-US'],
  ['pt-BR', 'pt-BR'],
])('reads the language that a recogniser names %s', (given, code) => {
  expect(readHeardLanguage(given)).toBe(code)
})

it.each(['', 'auto', 'und', '<|nospeech|>', 'en-', 'unknown', undefined, null, 7, ['de']])(
  'finds no language in %j',
  (given) => expect(readHeardLanguage(given)).toBeUndefined(),
)

it('names a language as Whisper does, and none that it does not know', () => {
  expect(['nb', 'de', 'tlh'].map(toWhisperLanguage)).toEqual(['no', 'de', undefined])
})
