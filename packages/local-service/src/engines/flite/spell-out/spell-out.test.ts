import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { propertyRuns } from '@parlando/test-support/property-runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SpokenWord } from '../../engine.ts'
import { spellOutCases } from './spell-out.cases.ts'
import { spellOut } from './spell-out.ts'

const testApp = useTestApp()

const fragments = fc.constantFrom(
  ...[
    '1',
    '23',
    '.',
    ',',
    ':',
    '-',
    '–',
    '/',
    '°C',
    'kWh',
    '$',
    '€',
    '%',
    ' ',
    ' ',
    'm',
    'am',
    'No.',
    'Mon',
    '½',
    '@',
  ],
  ...[
    '+',
    '1e5',
    'T',
    'Z',
    'v1',
    '_',
    'a',
    'II',
    'x',
    '#',
    '&',
    "'",
    '"',
    '(',
    ')',
    '000',
    'million',
  ],
)

/** The fastest voice. All voices read a text the same way. */
async function speakWords(text: string): Promise<readonly SpokenWord[]> {
  const spoken: SpokenWord[] = []
  await testApp.flite.engine.speakPhrase({
    voice: 'kal16',
    text,
    modelId: 'svc-tts-2',
    withWords: true,
    signal: new AbortController().signal,
    onSound: ({ words = [] }) => spoken.push(...words),
  })
  return spoken
}

async function speakPhones(text: string): Promise<string> {
  const words = await speakWords(text)
  return words.flatMap(({ phones = [] }) => phones.map(({ symbol }) => symbol)).join(' ')
}

// All texts of a kind are one phrase, since the phones of a phrase take longer to find than to speak.
it.each(Object.entries(spellOutCases))('Flite reads %s', async (_kind, cases) => {
  const texts = await speakPhones(cases.map(([text]) => text).join('. '))
  const words = await speakPhones(cases.map(([, words]) => words).join('. '))
  if (texts === words) return
  for (const [text, words] of cases) {
    expect(await speakPhones(text), `${text} as ${words}`).toBe(await speakPhones(words))
  }
  expect(texts).toBe(words)
})

it('Flite reads words in capital letters as words if the text has no small letters', async () => {
  expect(await speakPhones('STOP IT NOW')).toBe(await speakPhones('stop it now'))
})

it('Flite reads the day first in a British date', () => {
  const spoken = (dayFirst: boolean) => spellOut('5/4/2026', { dayFirst })[0]?.spoken
  expect(spoken(true)).toBe('the 5th of April 2026')
  expect(spoken(false)).toBe('May 4th 2026')
})

it('the words of a text keep their times and their spelling when Flite spells them out', async () => {
  const text = 'At 19:00 it is 21.5 °C, costs 5 € and uses 3kWh.'
  const words = await speakWords(text)
  expect(words.map((word) => word.text).join(' ')).toBe(text.replace(' €', ''))
  for (const [index, { startSeconds, endSeconds }] of words.entries()) {
    expect(endSeconds).toBeGreaterThan(startSeconds)
    expect(startSeconds).toBeGreaterThanOrEqual(words[index - 1]?.endSeconds ?? 0)
  }
})

it('spellOut keeps every word in its place, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string())), (parts) => {
      const text = parts.join('')
      const written = spellOut(text, { dayFirst: false }).map((word) => word.written)
      expect(written).toEqual(text.split(/\s+/).filter((word) => word !== ''))
    }),
    { numRuns: propertyRuns(500) },
  )
})
