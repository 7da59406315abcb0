import { describe, expect, it } from 'vitest'
import { matchSentence } from './match-sentence.ts'

const rooms = ['kitchen', 'living room', 'hall', 'bedroom']
const sentences = [
  ...rooms.flatMap((room) => [`turn on the ${room} light`, `turn off the ${room} light`]),
  'good night',
  'stop',
]

describe('a transcript', () => {
  it.each([
    ['turn on the kitchen light', 'turn on the kitchen light'],
    ['Turn on the kitchen light.', 'turn on the kitchen light'],
    ['turn on the bed room light', 'turn on the bedroom light'],
    ['Goodnight!', 'good night'],
    ['turn on the living rooms light', 'turn on the living room light'],
    ['STOP', 'stop'],
  ])('matches a sentence with the same letters, or nearly: %j', (transcript, sentence) => {
    expect(matchSentence(transcript, sentences).sentence).toBe(sentence)
  })

  it.each([
    // One letter from two commands.
    'turn of the kitchen light',
    'turn the kitchen light',
    'turn on the chicken light',
    'turn on the light',
    'turn off the oven',
    'shop',
    'good nights out',
    'what time is it',
    '',
    '...',
  ])('matches no sentence that it may not mean: %j', (transcript) => {
    expect(matchSentence(transcript, sentences).sentence).toBeUndefined()
  })

  it('comes with the two nearest sentences, the nearest first', () => {
    const { nearest } = matchSentence('turn off the chicken light', sentences)
    expect(nearest).toEqual(['turn off the kitchen light', 'turn on the kitchen light'])
    expect(matchSentence('stop', ['stop'])).toEqual({ sentence: 'stop', nearest: ['stop'] })
    expect(matchSentence('stop', [])).toEqual({ nearest: [] })
    expect(matchSentence(' ', sentences)).toEqual({ nearest: [] })
  })

  it('matches in other languages, with and without accents', () => {
    const foreign = ['éteins la lumière', 'allume la lumière', '台所の電気をつけて', 'Tür öffnen']
    expect(matchSentence('Eteins la lumiere', foreign).sentence).toBe('éteins la lumière')
    expect(matchSentence('台所の電気をつけて。', foreign).sentence).toBe('台所の電気をつけて')
    expect(matchSentence('Tür öffnen', foreign).sentence).toBe('Tür öffnen')
    // Their marks are no accents: one of the words is no, the other one "for".
    expect(matchSentence('ため', ['だめ', 'はい']).sentence).toBeUndefined()
  })

  it('of an hour is compared with 5,000 sentences without delay', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `set the light ${index} to red`)
    const startedAt = performance.now()
    expect(matchSentence('and so on and on '.repeat(20_000), many).sentence).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})
