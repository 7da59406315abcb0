import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSentenceCutter } from './sentences.ts'

const cut = (deltas: readonly string[], openingCharacters = 20) => {
  const cutter = createSentenceCutter({ openingCharacters })
  return [...deltas.flatMap((delta) => cutter.push(delta)), ...cutter.end()]
}

describe('the opening of a text', () => {
  it.each([
    ['after a clause', 'Yes, the laundry is done, and dry. Now.', 'Yes, the laundry is done,'],
    ['before a preposition', 'The harbour lay still in the early light.', 'The harbour lay still'],
    [
      'before a conjunction',
      'I have closed the windows because it rains.',
      'I have closed the windows',
    ],
    ['after a Chinese clause', '今天天气真的很好，我们去公园散步吧。', '今天天气真的很好，'],
  ])('ends %s', (_name, text, opening) => {
    const [first = '', second = ''] = cut([text])
    expect(first).toBe(opening)
    expect(text.replace(/\s/g, '')).toMatch((first + second).replace(/\s/g, ''))
  })

  it.each([
    ['that is too short', 'Yes, but it is late.'],
    ['without a place for a pause', 'The laundry finally dried completely.'],
    ['with such a place only in markup', 'Hm <break time="1s" and so on/> hm.'],
  ])('is the whole sentence for one %s', (_name, text) => {
    expect(cut([text])).toEqual([text])
  })

  it('is returned with the word after it, and only once for each text', () => {
    const cutter = createSentenceCutter({ openingCharacters: 20 })
    const sentence = 'The harbour lay still in the early light. '
    expect(cutter.push('The harbour lay still in')).toEqual([])
    expect(cutter.push(' the')).toEqual(['The harbour lay still'])
    expect(cutter.push(` early light. ${sentence}${sentence}`)).toHaveLength(2)
    cutter.end()
    expect(cutter.push(sentence)).toEqual(['The harbour lay still'])
  })

  it('is part of the sentence by default', () => {
    const cutter = createSentenceCutter()
    expect(cutter.push('The harbour lay still in the early light. T')).toHaveLength(1)
  })

  it('does not depend on how the text is split into deltas', () => {
    const parts =
      'The harbour|lay|still|in|and|because|,|, |. |! | - |[calm]|<b|>|/aɪ/|\n|，|天气|3.5|Dr. |…'
    const part = fc.constantFrom(...parts.split('|'), ' ', ' ', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(), (list, place) => {
        const text = list.join('')
        const middle = text.length === 0 ? 0 : place % text.length
        const whole = cut([text], 10)
        expect(cut([text.slice(0, middle), text.slice(middle)], 10)).toEqual(whole)
        expect(cut([...text], 10)).toEqual(whole)
      }),
      { numRuns: propertyRuns(1000) },
    )
  })
})
