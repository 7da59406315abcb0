import { describe, expect, it } from 'vitest'
import { plainText, unsupportedReason } from './plain-text.ts'

describe('plainText', () => {
  it.each([
    ['“It’s fine” – says Zoë', '"It\'s fine" , says Zoe'],
    ['Smørrebrød, Straße, œuvre', 'Smorrebrod, Strasse, oeuvre'],
    ['22 °C… 👋 now', '22 C... now'],
    ['line\none', 'line one'],
  ])('writes %j in ASCII', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })
})

describe('unsupportedReason', () => {
  it.each(['Hello', 'Crème brûlée', '42', 'Done 👍'])('accepts %j', (text) => {
    expect(unsupportedReason(text)).toBeUndefined()
  })

  it.each(['你好', 'Hello мир', 'שלום', 'مرحبا'])('rejects %j and names a letter', (text) => {
    expect(unsupportedReason(text)).toMatch(/cannot say "\p{L}"/u)
  })

  it.each(['...', '👋', '—'])('rejects %j, which contains nothing to speak', (text) => {
    expect(unsupportedReason(text)).toMatch('There is nothing to speak')
  })
})
