import { describe, expect, it } from 'vitest'
import { sentenceEnds } from './sentence-end.ts'

function sentencesOf(text: string): string[] {
  const ends = [...sentenceEnds(text)]
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim())
}

describe('sentenceEnds', () => {
  it.each([
    [
      'Dr. J. Smith came at 7.30 p.m. today. He left.',
      ['Dr. J. Smith came at 7.30 p.m. today.', 'He left.'],
    ],
    ['See No. 5. No. It is 6.', ['See No. 5.', 'No.', 'It is 6.']],
    ['今天很好。「你好！」他说', ['今天很好。', '「你好！」']],
    ['No full stop', []],
  ])('cuts %j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences)
  })

  it.each(['. ,', '%. ,', '1. ,', '. ', '"', 'a.', '...\u2026 i', ' '])(
    'runs in linear time on a row of %j',
    (part) => {
      const startedAt = performance.now()
      expect([...sentenceEnds(part.repeat(100_000))].length).toBeGreaterThanOrEqual(0)
      // Normally it takes less than a second; in quadratic time it would take hours.
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    },
  )
})
