import { describe, expect, it } from 'vitest'
import { readAnswers } from './answers.ts'
import { judgeTurn, matchAnswer } from './match-answer.ts'

const yesNo = readAnswers({}, 'en').answers!
const anyText = readAnswers({ answers: 'text' }, 'en').answers!

describe('what was said', () => {
  it('is an answer if the recogniser is sure of its sentence', () => {
    const sentenceMatch = { sentence: 'yes please', nearest: [] }
    const turn = matchAnswer({ text: 'yes please', confidence: 0.8, sentenceMatch }, yesNo)
    expect(turn).toMatchObject({ transcript: 'yes please', confidence: 0.8, isNoise: false })
    expect(turn.answer).toMatchObject({ name: 'yes', value: true })
  })

  it('is an answer if it is one of two sentences that mean the same', () => {
    const sentenceMatch = { sentence: null, nearest: ['yes', 'yes please'] }
    expect(matchAnswer({ text: 'yes', sentenceMatch }, yesNo).answer?.name).toBe('yes')
  })

  it('is no answer if it is one of two sentences that mean different values of one answer', () => {
    const possible = ['six', 'sixteen'].map((sentence, index) => {
      return { sentence, name: 'number', output: 0, value: [6, 16][index]! }
    })
    const sentenceMatch = { sentence: null, nearest: ['six', 'sixteen'] }
    const numbers = { names: ['number'], possible, buttons: [] }
    const { answer } = matchAnswer({ text: 'si', sentenceMatch }, numbers)
    expect(answer).toBeUndefined()
  })

  it('is an answer if it fits the sounds badly, but is the same without the list', () => {
    const sentenceMatch = { sentence: null, nearest: ['no', 'nope'], reason: 'different' as const }
    expect(matchAnswer({ text: 'No.', sentenceMatch }, yesNo).answer?.name).toBe('no')
  })

  it('is the same without the list also if only the accents differ', () => {
    const spanish = readAnswers({}, 'es').answers!
    const sentenceMatch = { sentence: null, nearest: ['sí', 'no'], reason: 'different' as const }
    expect(matchAnswer({ text: 'Si.', sentenceMatch }, spanish).answer?.name).toBe('yes')
  })

  it.each([
    ['two answers', { sentence: null, nearest: ['no', 'yes'] }],
    ['something else', { sentence: null, nearest: ['no', 'nope'], reason: 'different' as const }],
    ['noise', { sentence: null, nearest: ['no', 'nope'], reason: 'noise' as const }],
  ])('is no answer if it could be %s', (_what, sentenceMatch) => {
    expect(matchAnswer({ text: 'no way', sentenceMatch }, yesNo).answer).toBeUndefined()
  })

  it('is compared with the sentences if the service does not do that', () => {
    expect(matchAnswer({ text: 'Yes, please!' }, yesNo).answer?.name).toBe('yes')
    expect(matchAnswer({ text: 'Yesterday.' }, yesNo).answer).toBeUndefined()
    expect(matchAnswer({ text: '' }, yesNo)).toMatchObject({ isNoise: true })
  })

  it('is the answer itself if any text is one', () => {
    const { answer } = matchAnswer({ text: ' buy some milk ' }, anyText)
    expect(answer).toMatchObject({ name: 'text', value: 'buy some milk', output: 0 })
    expect(matchAnswer({ text: ' ' }, anyText)).toMatchObject({ isNoise: true })
  })
})

describe('an answer that began while the question was said', () => {
  const facts = { isVoice: true, beganWhileSaying: true }
  const judge = (said: string, text: string, language: string) =>
    judgeTurn({ text: said }, { text, answers: readAnswers({}, language).answers! }, facts).is

  it.each([
    ['yes', 'Shall I open it, yes or no?', 'en'],
    ['Si', '¿Abro la puerta, sí o no?', 'es'],
    ['はい', 'はいかいいえで答えてください', 'ja'],
  ])('is nothing if the question contains it, apart from accents: %s', (said, text, language) => {
    expect(judge(said, text, language)).toBe('nothing')
  })

  it('is an answer if the question does not contain it', () => {
    expect(judge('Yes', 'Yesterday was a holiday. Is it open?', 'en')).toBe('answer')
  })
})
