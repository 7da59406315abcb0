import { describe, expect, it } from 'vitest'
import {
  plainText,
  skippedCharacters,
  spellOutForEnglishVoices,
  unsupportedReason,
} from './english-text.ts'

describe('plainText', () => {
  it.each([
    ['“It’s fine” – says Zoë', '"It\'s fine" , says Zoe'],
    ['Smørrebrød, Straße, œuvre', 'Smorrebrod, Strasse, oeuvre'],
    ['22 °C… 👋 now', '22 degrees C... now'],
    ['5 µ, 5 μ, 5 Ω, 5 \u2126, x² → ∞', '5 micro , 5 mu , 5 omega , 5 ohm , x squared to infinity'],
    ['line\none', 'line one'],
  ])('writes %j in ASCII', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })
})

describe('unsupportedReason', () => {
  it.each(['Hello', 'Crème brûlée', '42', 'Done 👍', 'Hello мир', 'Ω', '√'])(
    'accepts %j',
    (text) => {
      expect(unsupportedReason(text)).toBeUndefined()
    },
  )

  it.each(['你好', 'мир', 'שלום', 'مرحبا'])('rejects %j and names a letter', (text) => {
    expect(unsupportedReason(text)).toMatch(/cannot say "\p{L}"/u)
  })

  it.each(['...', '👋', '—'])('rejects %j, which contains nothing to speak', (text) => {
    expect(unsupportedReason(text)).toMatch('There is nothing to speak')
  })
})

describe('skippedCharacters', () => {
  it.each([
    ['Hello мир, 你好', 'мир你好'],
    ['12 µg/m³, 5 Ω, ½, Smørrebrød… 👍', ''],
    ['a ∮ b', '∮'],
  ])('finds in %j what no reader would leave out: %j', (text, skipped) => {
    expect(skippedCharacters(text).join('')).toBe(skipped)
  })
})

describe('spellOutForEnglishVoices', () => {
  const { spellsOut, spellOut } = spellOutForEnglishVoices((voice, language) => language ?? voice)
  const read = (text: string, voice: string) =>
    Array.from(spellOut(text, voice, ''), ({ spoken }) => spoken).join(' ')

  it.each([
    ['en', undefined, true],
    ['EN_GB', undefined, true],
    ['AUTO', 'en-US', true],
    ['EN_US', 'de-DE', false],
    ['DE_DE', undefined, false],
    ['AUTO', undefined, false],
  ])('of the voice %s and the language %s applies: %s', (voice, language, expected) => {
    expect(spellsOut(voice, language)).toBe(expected)
  })

  it.each([
    ['It is 5 °C 😀', 'It is five degrees Celsius 😀'],
    ['Es ist 5 Uhr und die Tür ist offen.', 'Es ist 5 Uhr und die Tür ist offen.'],
    ['Сейчас 5 часов', 'Сейчас 5 часов'],
    ['Café, µ and UA1234', 'Café, micro and U eigh one two three four'],
  ])('keeps letters, emoji and other languages: %s', (text, expected) => {
    expect(read(text, 'EN_US')).toBe(expected)
  })

  it.each([
    ['en', 'May fourth'],
    ['en-us', 'May fourth'],
    ['EN_GB', 'fifth of April'],
  ])('reads 5/4 as the date of the country: %s', (voice, date) => {
    expect(read('On 5/4/2026', voice)).toContain(date)
  })
})
