import { describe, expect, it } from 'vitest'
import { findBuiltInData } from '../../../machine/built-in-data.ts'
import { openEnglish } from './english.ts'
import { homographs } from './homographs.test-cases.ts'

const english = openEnglish(findBuiltInData()!)('american')

/** The sounds of a word in a sentence, without their stress. */
function soundsOf(word: string, sentence: string): string | undefined {
  const words = sentence.toLowerCase().split(' ')
  const place = words.findIndex((one) => one.replace(/[.,;?!]$/, '') === word)
  return english.phonemize(sentence)[place]?.replace(/[ˈˌ.,;?!]/g, '')
}

it.each([
  ['The A C is on.', 'ði ˈA sˈi ɪz ˌɔn.'],
  ['Plan A is ready.', 'plˈæn ˈA ɪz ɹˈɛdi.'],
  ["Play A Hard Day's Night.", 'plˈA ɐ hˈɑɹd dˈAz nˈIt.'],
  ['A door is open.', 'ɐ dˈɔɹ ɪz ˈOpᵊn.'],
])('A is the letter or the article: %s', (sentence, sounds) => {
  expect(english.phonemize(sentence).join(' ')).toBe(sounds)
})

describe.each(Object.entries(homographs))('%s', (word, readings) => {
  const cases = Object.entries(readings).flatMap(([sounds, sentences]) =>
    sentences.map((sentence) => ({ sentence, sounds })),
  )

  it.each(cases)('sounds as $sounds in: $sentence', ({ sentence, sounds }) => {
    expect(soundsOf(word, sentence)).toBe(sounds)
  })

  it('has two readings, with two sentences for each', () => {
    expect(Object.keys(readings)).toHaveLength(2)
    for (const sentences of Object.values(readings)) {
      expect(sentences.length).toBeGreaterThanOrEqual(2)
    }
  })
})
