import { describe, expect, it } from 'vitest'
import { createUpstreamWords } from './parlando-words.ts'

const word = (text: string, startSeconds: number, endSeconds = startSeconds + 0.1) => ({
  text,
  startSeconds,
  endSeconds,
})
const textOf = (words: readonly { text: string }[]) => words.map(({ text }) => text).join(' ')

describe('the words of another service', () => {
  it('wait for the audio in which they begin', () => {
    const words = createUpstreamWords({ text: 'One two three.', maxSeconds: 20 })
    expect(textOf(words.take([word('One', 0), word('two', 1), word('three', 2)], 0.5))).toBe('One')
    expect(textOf(words.take([], 0.9))).toBe('')
    expect(textOf(words.take([], 2.1))).toBe('two three')
  })

  it('are sorted by time, without words that arrive too late', () => {
    const words = createUpstreamWords({ text: 'One two three.', maxSeconds: 20 })
    expect(textOf(words.take([word('two', 0.4), word('One', 0)], 0.5))).toBe('One two')
    expect(textOf(words.take([word('early', 0.3), word('three', 0.8)], 1))).toBe('three')
  })

  it.each([
    ['a negative start', -0.5, 0],
    ['a start that is not a number', Number.NaN, 0.2],
    ['an infinite end', 0.1, Number.POSITIVE_INFINITY],
    ['an end before the start', 0.3, 0.2],
    ['a duration that is too long for the text', 0.1, 21],
    ['a start after all audio', 9, 9.1],
  ])('exclude a word with %s', (_what, startSeconds, endSeconds) => {
    const words = createUpstreamWords({ text: 'One two.', maxSeconds: 20 })
    const sent = [word('odd', startSeconds, endSeconds), word('two', 0.5)]
    expect(textOf(words.take(sent, 1))).toBe('two')
  })

  it('keep their phones, without impossible ones', () => {
    const words = createUpstreamWords({ text: 'One two.', maxSeconds: 20 })
    const phone = { symbol: 'ʌ', viseme: 'aei', startSeconds: 0, endSeconds: 0.1 }
    const phones = [
      phone,
      { ...phone, startSeconds: -1 },
      { ...phone, endSeconds: Number.NaN },
      { ...phone, symbol: 'ʌ'.repeat(100) },
      { ...phone, viseme: 'a'.repeat(100) },
    ]
    expect(words.take([{ ...word('One', 0), phones }], 1)).toEqual([
      { ...word('One', 0), phones: [phone] },
    ])
  })

  it('are rejected if there are more phones than the text can have', () => {
    const words = createUpstreamWords({ text: 'One.', maxSeconds: 20 })
    const phone = { symbol: 'ʌ', startSeconds: 0, endSeconds: 0.1 }
    const withPhones = (count: number) => ({ ...word('One', 0), phones: Array(count).fill(phone) })
    expect(words.take([withPhones(100)], 1)).toHaveLength(1)
    expect(() => words.take([withPhones(100)], 1)).toThrow(
      'more phones than a text of 4 characters has',
    )
  })

  it('are rejected if there are more than the text can have', () => {
    const words = createUpstreamWords({ text: 'One.', maxSeconds: 20 })
    const many = Array.from({ length: 50 }, (_, index) => word('one', index / 100))
    expect(words.take(many.slice(0, 40), 1)).toHaveLength(40)
    expect(() => words.take(many, 1)).toThrow('more words than a text of 4 characters has')
  })
})
