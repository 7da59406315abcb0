import { startProcessorTime } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cutPhrases, cutScript, type PhraseLimits } from './phrases.ts'

const limits: PhraseLimits = { firstCharacters: 20, laterCharacters: 40 }

function texts(text: string, phraseLimits = limits): string[] {
  return [...cutPhrases(text, phraseLimits)].map((phrase) => phrase.text)
}

describe('cutPhrases', () => {
  it('keeps a short sentence whole', () => {
    expect(texts('The laundry is done.')).toEqual(['The laundry is done.'])
  })

  it('keeps the first phrase short and cuts before a joining word', () => {
    expect(texts('The laundry is done and the dishes are clean again.')).toEqual([
      'The laundry is done',
      'and the dishes are clean again.',
    ])
  })

  it('keeps two short words together at the start, but no long word, digits or two sentences', () => {
    const limits = { firstCharacters: 10, laterCharacters: 50 }
    const firstOf = (text: string) => texts(text, limits)[0]
    expect(firstOf('Solar panels made 5 kilowatt hours today.')).toBe('Solar panels')
    expect(firstOf('Unfortunately, no one is at home today.')).toBe('Unfortunately,')
    expect(firstOf('Parcel 4071 was delivered to your door.')).toBe('Parcel')
    expect(firstOf('Hello. Dinner is ready in the kitchen.')).toBe('Hello.')
  })

  it('keeps a number and its unit together', () => {
    for (const first of [4, 10, 13, 16]) {
      const phrases = texts('It uses 21.5 kWh, or 80 % at 5 km/h.', {
        ...limits,
        firstCharacters: first,
      })
      expect(phrases.join('|')).not.toMatch(/\d\|/)
    }
  })

  it('does not end a phrase with an article or a preposition', () => {
    const text = 'Somebody rang the bell of the house in a hurry this morning before the post came'
    for (const first of [12, 20, 28, 36]) {
      const phrases = texts(text, { firstCharacters: first, laterCharacters: 30 })
      expect(phrases.slice(0, -1).join('|')).not.toMatch(/ (?:the|of|in|a|this|before)(?:\||$)/)
    }
  })

  it.each([
    ['The garage door has been open for ninety minutes.', 28, 'The garage door'],
    ['The dryer is still running since half past seven.', 34, 'The dryer is still running'],
  ])('ends the first phrase of %j, in %i characters, after a whole group of words', (...given) => {
    const [text, firstCharacters, expected] = given
    expect(texts(text, { firstCharacters, laterCharacters: 80 })[0]).toBe(expected)
  })

  it('prefers the end of a clause to a joining word', () => {
    expect(texts('Good morning, dear friends of the house and garden.')[0]).toBe('Good morning,')
  })

  it('ends a phrase with every sentence and pauses longest after a paragraph', () => {
    const phrases = [...cutPhrases('One. Two, three\n\nFour', { ...limits, firstCharacters: 5 })]
    expect(phrases.map(({ text }) => text)).toEqual(['One.', 'Two, three', 'Four'])
    const [afterSentence, afterParagraph] = phrases.map(({ pauseSeconds }) => pauseSeconds)
    expect(afterSentence).toBeGreaterThan(0.2)
    expect(afterParagraph).toBeGreaterThan(afterSentence!)
  })

  it('ends a phrase with a sentence of small words, but not with an abbreviation inside one', () => {
    const wide = { firstCharacters: 200, laterCharacters: 200 }
    expect(texts('See No. 5 approx. now. No. It is 6.', wide)).toEqual([
      'See No. 5 approx. now.',
      'No.',
      'It is 6.',
    ])
    expect(texts('He left the U.S. Army. He is in the U.S. She is not.', wide)).toEqual([
      'He left the U.S. Army.',
      'He is in the U.S.',
      'She is not.',
    ])
  })

  it('prefers the end of a lower-case sentence to a word', () => {
    const text = 'the door is open. please close it behind you'
    expect(texts(text)[0]).toBe('the door is open.')
  })

  it('does not take abbreviations, initials, decimals and times for the end of a sentence', () => {
    const text = 'Dr. J. Smith pays 12.50 at 7.30 p.m. today'
    expect(texts(text, { firstCharacters: 200, laterCharacters: 200 })).toEqual([text])
  })

  it('counts digits as the words they are spoken as', () => {
    expect(texts('Call 555123456 now please', limits).length).toBeGreaterThan(1)
  })

  it('cuts an endless word into pieces and loses nothing', () => {
    const text = 'a'.repeat(3000)
    expect(texts(text).every((piece) => piece.length <= 60)).toBe(true)
    expect(texts(text).join('')).toBe(text)
  })

  it('never splits a surrogate pair', () => {
    // The odd length makes a cut after an even number of code units fall inside a pair.
    const text = `a${'𝒶'.repeat(100)}`
    expect(texts(text).join('')).toBe(text)
    expect(texts(text).filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
  })

  it('loses no word of a long text and keeps every phrase near its limit', () => {
    const words = Array.from(
      { length: 2000 },
      (_, index) => ['the', 'kitchen', 'speaker,', 'and', 'shows', 'time.'].at((index * 7) % 6)!,
    )
    const phrases = texts(words.join(' '))
    expect(phrases.join(' ').split(' ')).toEqual(words)
    expect(Math.max(...phrases.map((phrase) => phrase.length))).toBeLessThan(40 * 1.3 + 1)
  })

  it('reads only the words of the next phrase from a text without full stops', () => {
    const joiningWordCheck = vi.spyOn(String.prototype, 'toLowerCase')
    onTestFinished(() => joiningWordCheck.mockRestore())
    const phrases = cutPhrases('word '.repeat(20_000), limits)
    phrases.next()
    expect(joiningWordCheck.mock.calls.length).toBeGreaterThan(0)
    expect(joiningWordCheck.mock.calls.length).toBeLessThan(10)
    const later = [...phrases].length
    expect(later).toBeGreaterThan(2000)
    expect(joiningWordCheck.mock.calls.length).toBeLessThan(20_000 + 10)
  })

  it('cuts text without words, however long it is', () => {
    const usedMs = startProcessorTime()
    const longest = (text: string) => Math.max(...texts(text).map((phrase) => phrase.length))
    expect(longest('a'.repeat(100_000))).toBeLessThanOrEqual(60)
    expect(longest(`${'"'.repeat(100_000)}a b`)).toBeLessThanOrEqual(60)
    expect(longest('\u200b'.repeat(100_000))).toBeLessThanOrEqual(60)
    expect(texts(`${'\n'.repeat(100_000)}a`)).toEqual(['a'])
    expect(texts(' \u200b '.repeat(10_000)).length).toBeLessThan(2000)
    expect(usedMs()).toBeLessThan(2000)
  })

  it('ends a phrase after the sentences and clauses of a script without spaces', () => {
    const sentences = ['今天天气很好，我们去公园散步吧。', '「你好！」', '他说，明天会下雨吗？']
    const phrases = texts(sentences.join('').repeat(8))
    expect(phrases.length).toBeGreaterThan(8)
    for (const phrase of phrases) expect(phrase).toMatch(/[。！？，]」?$/)
  })

  it('returns no phrases for only white space', () => {
    expect(texts(' \n ')).toEqual([])
  })
})

describe('cutScript', () => {
  it('ends a phrase at a break, whose length does not depend on the speaking rate', () => {
    const script = [{ text: 'One' }, { silenceSeconds: 0.3 }, { text: 'two.' }]
    expect([...cutScript(script, limits, 0.5)]).toEqual([
      { text: 'One', pauseSeconds: 0.3 },
      { text: 'two.', pauseSeconds: 1.2 },
    ])
  })

  it.each([
    ['Well, yes.', 0.35],
    ['Well,', 0.16],
    ['今天天气很好，', 0.16],
    ['The laundry is', 0.04],
    ['One.<break>', 0.6],
  ])('ends a part of a text, %s, with the pause of its punctuation', (text, pauseSeconds) => {
    const [spoken = '', hasBreak] = text.split('<break>')
    const script = [{ text: spoken }, ...(hasBreak === '' ? [{ silenceSeconds: 0.6 }] : [])]
    expect([...cutScript(script, limits, 1, { isPart: true })].at(-1)).toMatchObject({
      pauseSeconds,
    })
  })

  it('adds consecutive breaks and starts with silence if the script does', () => {
    const script = [{ silenceSeconds: 1 }, { silenceSeconds: 2 }, { text: 'One' }]
    const phrases = [...cutScript(script, limits, 1)]
    expect(phrases).toEqual([
      { text: '', pauseSeconds: 3 },
      { text: 'One', pauseSeconds: 0.6 },
    ])
  })

  it('keeps only the first phrase of the script short, not the phrases after a break', () => {
    const text = 'The laundry is done and dry now'
    const script = [{ text: 'One' }, { silenceSeconds: 1 }, { text }]
    expect([...cutScript(script, limits, 1)].map((phrase) => phrase.text)).toEqual(['One', text])
  })
})
