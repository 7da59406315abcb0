import { describe, expect, it } from 'vitest'
import { cleanTranscript, cleanWords } from './clean-transcript.ts'

describe('cleanTranscript', () => {
  it.each([
    [' Turn it off.\n', 'Turn it off.'],
    ['[BLANK_AUDIO]', ''],
    ['[ Silence ] Hello [Music]', 'Hello'],
    ['<|en|><|NEUTRAL|><|Speech|>hello', 'hello'],
    ['♪ La la ♪', 'La la'],
    ['(wind blowing)', ''],
    ['*sighs*', ''],
    ['...', ''],
    ['Call me (at home) later', 'Call me (at home) later'],
    ['Two * three', 'Two * three'],
    ['No. No. Stop.', 'No. No. Stop.'],
    ['Thank you. Thank you. thank you. Bye.', 'Thank you. Bye.'],
    ['谢谢。谢谢。谢谢。', '谢谢。'],
    ['It costs 3.50 euros', 'It costs 3.50 euros'],
  ])('%j becomes %j', (text, cleaned) => {
    expect(cleanTranscript(text)).toBe(cleaned)
  })

  it('takes time in proportion to the length of the text', () => {
    for (const text of ['['.repeat(200_000), '<|'.repeat(100_000), '(*'.repeat(100_000)]) {
      const startMs = performance.now()
      cleanTranscript(text)
      expect(performance.now() - startMs).toBeLessThan(10_000)
    }
  })
})

describe('cleanWords', () => {
  const wordsOf = (text: string) => text.split(' ').map((word) => ({ text: word }))
  const clean = (spoken: string, text: string) =>
    cleanWords(wordsOf(spoken), { text, cleaned: cleanTranscript(text) }).map((word) => word.text)

  it('removes the words of a loop and of tags', () => {
    expect(
      clean('Thank you Thank you Thank you Bye', 'Thank you. Thank you. Thank you. Bye.'),
    ).toEqual(['Thank', 'you', 'Bye'])
    expect(clean('[Music] Hello', '[Music] Hello')).toEqual(['Hello'])
  })

  it('keeps words that are spelt differently from the text', () => {
    expect(clean('twenty eggs', '20 eggs')).toEqual(['twenty', 'eggs'])
  })
})
