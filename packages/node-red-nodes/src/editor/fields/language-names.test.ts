import { expect, it } from 'vitest'
import { languageName, sampleSentence } from './language-names.ts'

it('names a language in the language of the page', () => {
  expect(languageName('EN_US', 'en')).toBe('American English')
  expect(languageName('DE_DE', 'fr')).toMatch(/allemand/)
  expect(languageName('ES_419', 'en')).toBe('Latin American Spanish')
  expect(languageName('AUTO', 'de')).toBe('Mehrsprachig')
})

it('returns an unknown code unchanged', () => {
  expect(languageName('?', 'en')).toBe('?')
})

it('has a sentence in the language of the voice, or an English one', () => {
  expect(sampleSentence('DE_AT')).toMatch(/^Guten Tag/)
  expect(sampleSentence('PT_BR')).toBe(sampleSentence('PT_PT'))
  expect(sampleSentence('nb-NO')).toMatch(/^Hei/)
  expect(sampleSentence('constructor')).toMatch(/^Hello/)
  expect(sampleSentence('XX_YY')).toMatch(/^Hello/)
  expect(sampleSentence(undefined)).toMatch(/^Hello/)
})
