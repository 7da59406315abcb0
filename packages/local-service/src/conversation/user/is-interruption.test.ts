import { describe, expect, it } from 'vitest'
import { isInterruption } from './is-interruption.ts'

interface Facts {
  voiceMs?: number
  confidence?: number
}

describe('isInterruption', () => {
  it.each([
    ['Stop it now', {}],
    ['止めてください', {}],
    ['Stop!', {}],
    ['NEIN.', {}],
    ['Arrête', {}],
    ['Arrête'.normalize('NFD'), {}],
    ['Aspetta!', {}],
    ['Sì.', {}],
    ['停！', {}],
    ['louder', { confidence: 0.9 }],
    ['louder', { voiceMs: 700 }],
    ['louder', { voiceMs: 700, confidence: 0.1 }],
  ])('accepts %s with %j', (text, { voiceMs = 300, confidence }: Facts) => {
    expect(isInterruption({ voiceMs }, { text, confidence })).toBe(true)
  })

  it.each([
    ['the', { confidence: 0.2 }],
    ['Oh.', {}],
    ['fat', { voiceMs: 700, confidence: 0.002 }],
    ['えっ', {}],
    ['…', { voiceMs: 5000 }],
    ['', { voiceMs: 5000, confidence: 1 }],
  ])('rejects %s with %j', (text, { voiceMs = 300, confidence }: Facts) => {
    expect(isInterruption({ voiceMs }, { text, confidence })).toBe(false)
  })
})
