import { describe, expect, it } from 'vitest'
import { toWords } from './to-words.ts'

describe('toWords', () => {
  it('joins tokens into words, which end at the next word or shortly after their last token', () => {
    const tokens = [' turn', ' o', 'ff', ' light', '.']
    const timestamps = [0.1, 0.2, 0.3, 1, 1.1]
    expect(toWords({ text: ' turn off light.', tokens, timestamps }, 1.2)).toEqual([
      { text: 'turn', startSeconds: 0.1, endSeconds: 0.2 },
      { text: 'off', startSeconds: 0.2, endSeconds: 0.55 },
      { text: 'light.', startSeconds: 1, endSeconds: 1.2 },
    ])
  })

  it('treats each Chinese character as a word', () => {
    const words = toWords(
      { text: '开灯 now', tokens: ['开', '灯', ' now'], timestamps: [0, 1, 2] },
      9,
    )
    expect(words?.map(({ text }) => text)).toEqual(['开', '灯', 'now'])
  })

  it('skips tokens that are only a space', () => {
    const result = { text: 'a b', tokens: [' ', 'a', ' ', 'b'], timestamps: [0, 0.1, 0.2, 0.3] }
    expect(toWords(result, 9)?.map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it.each([
    ['times', { text: 'on', tokens: [' on'], timestamps: [] }],
    ['tokens of the text', { text: '开', tokens: ['<0xE5>'], timestamps: [0] }],
  ])('returns nothing without %s', (_name, result) => {
    expect(toWords(result, 1)).toBeUndefined()
  })

  it('returns no words for an empty text', () => {
    expect(toWords({ text: '', tokens: [], timestamps: [] }, 1)).toEqual([])
  })
})
