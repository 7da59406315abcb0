import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageCases } from './spell-language.test-cases.ts'
import { languages, spellLanguage } from './spell-language.ts'

const spell = (code: string, text: string, before?: string) => [
  ...spellLanguage(languages[code]!, text, before),
]
const spoken = (code: string, text: string, before?: string) =>
  spell(code, text, before)
    .map((word) => word.spoken)
    .filter((word) => word !== '')
    .join(' ')

const codes = Object.keys(languages)
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
    'h',
    'Uhr',
  ],
  ...[
    '000',
    '+',
    'º',
    'er',
    'z.',
    'B.',
    '½',
    '@',
    '_',
    'a',
    'LED',
    '24.12.',
    '18:30',
    '#',
    '&',
    '"',
    '(',
  ],
)

describe.each(Object.entries(languageCases))('%s', (code, cases) => {
  it.each(cases)('%s is read as: %s', (text, reading) => {
    expect(spoken(code, text)).toBe(reading)
  })

  it('no digit is left for the voice to read', () => {
    for (const [text] of cases) expect(spoken(code, text)).not.toMatch(/\d/)
  })
})

it.each(codes)('%s reads every number up to two thousand in other words', (code) => {
  const numbers = Array.from({ length: 2001 }, (_, value) => languages[code]!.cardinal(value))
  expect(new Set(numbers).size).toBe(2001)
  expect(numbers.join()).not.toMatch(/undefined|-{2}|\s{2}/)
})

it('keeps every word in its place, for any text', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      fc.array(fc.oneof(fragments, fc.string())),
      (code, parts) => {
        const text = parts.join('')
        expect(spell(code, text).map((word) => word.written)).toEqual(
          text.split(/\s+/).filter((word) => word !== ''),
        )
      },
    ),
    { numRuns: propertyRuns(500) },
  )
})

it('knows the words of an earlier text, without repeating them', () => {
  expect(spoken('de', '°C im Bad', 'Es sind 1')).toBe('Grad im Bad')
  expect(spoken('de', '24.12. ist', 'Am')).toBe('vierundzwanzigsten Dezember ist')
  expect(spoken('de', 'Uhr ist es', 'Um 18:30')).toBe('ist es')
})

it.each([
  ['it', 'Sono', 'le 1:00', "l'una"],
  ['it', 'alle', '1:00 di notte', 'una di notte'],
  ['es', 'Son', 'las 1:00', 'la una'],
  ['es', 'a las', '1:30', 'una y treinta'],
  ['de', '€', '12 im Monat', 'zwölf im Monat'],
])('in %s, no number is lost if its text was cut: %s | %s', (code, before, text, reading) => {
  expect(spoken(code, text, before)).toBe(reading)
})
