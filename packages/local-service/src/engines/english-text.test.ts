import { describe, expect, it } from 'vitest'
import { plainText, skippedCharacters, unsupportedReason } from './english-text.ts'

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
