import { describe, expect, it } from 'vitest'
import { numberWords } from '../../grammars/by-language.ts'
import { matchSentence } from '../../recognition/match-sentence.ts'
import { readAnswers } from './answers.ts'
import type { AnswerSettings, Answers } from './own-answers.ts'

const languages = ['en-US', 'de', 'fr-FR', 'es-ES', 'ja', 'zh-CN']
const read = (settings: AnswerSettings, language = 'en-US') =>
  readAnswers(settings, language).answers!
const valueFor = ({ possible }: Answers, text: string) => {
  const sentences = possible!.map(({ sentence }) => sentence)
  const { sentence } = matchSentence(text, sentences)
  return possible!.find((one) => one.sentence === sentence)?.value
}

describe('the answers of a question', () => {
  it('are yes and no without any setting, with a button for each', () => {
    const { names, buttons } = read({})
    expect(names).toEqual(['yes', 'no'])
    expect(buttons.map(({ sentence, value }) => [sentence, value])).toEqual([
      ['yes', true],
      ['no', false],
    ])
  })

  it.each([
    ['de', 'Ja, gerne!', true],
    ['de-AT', 'Nein danke.', false],
    ['fr-FR', 'Oui, s’il te plaît.', true],
    ['es-ES', 'No, gracias.', false],
    ['ja', 'はい、お願いします。', true],
    ['zh-CN', '不用了。', false],
    ['it', 'Yes, please.', true],
  ])('are yes and no in the language %s: %s', (language, text, value) => {
    expect(valueFor(read({}, language), text)).toBe(value)
  })

  it('have the sentences behind their name, and the name itself', () => {
    const lines = 'later: later please | in {minutes} minutes\ntea\n{minutes} = five, ten'
    const { names, possible, buttons } = read({ answers: 'own', ownAnswers: lines })
    expect(names).toEqual(['later', 'tea'])
    expect(possible!.map(({ sentence, output, value }) => [sentence, output, value])).toEqual([
      ['later', 0, 'later'],
      ['later please', 0, 'later'],
      ['in five minutes', 0, 'later'],
      ['in ten minutes', 0, 'later'],
      ['tea', 1, 'tea'],
    ])
    expect(buttons.map(({ sentence }) => sentence)).toEqual(['later', 'tea'])
  })

  it('may be typed with the characters of a Japanese or Chinese keyboard', () => {
    const { names, possible } = read({
      answers: 'own',
      ownAnswers: 'あとで：あとでお願い｜今はいい',
    })
    expect(names).toEqual(['あとで'])
    expect(possible!.map(({ sentence }) => sentence)).toEqual([
      'あとで',
      'あとでお願い',
      '今はいい',
    ])
  })

  it.each([
    [{ answers: 'own', ownAnswers: ' ' }, 'none'],
    [{ answers: 'own', ownAnswers: 'in {minutes} minutes' }, 'no-list'],
    [
      { answers: 'own', ownAnswers: Array.from({ length: 21 }, (_, at) => `a${at}`).join('\n') },
      'too-many-answers',
    ],
    [{ answers: 'number', from: '7', to: '3' }, 'range'],
    [{ answers: 'number', from: '0', to: '1000' }, 'range'],
    [{ answers: 'number', from: '0.5', to: '3' }, 'range'],
    [{ answers: 'number', from: '-1', to: '3' }, 'range'],
  ])('are rejected with a reason: %j', (settings, problem) => {
    expect(readAnswers(settings, 'en').problem).toMatchObject({ problem })
  })

  it('may be any text, without a button', () => {
    expect(read({ answers: 'text' })).toEqual({ names: ['text'], buttons: [] })
  })
})

describe('a number', () => {
  it.each([
    ['en-US', 'Twenty-one.', 21],
    ['de', 'Einundzwanzig.', 21],
    ['de', 'Zwo.', 2],
    ['fr-FR', 'Quatre-vingt-dix-sept.', 97],
    ['es-ES', 'treinta y uno', 31],
    ['ja', '二十一', 21],
    ['zh-CN', '两', 2],
    ['zh-CN', '21', 21],
  ])('is understood in the language %s: %s', (language, text, value) => {
    expect(valueFor(read({ answers: 'number', from: '0', to: '99' }, language), text)).toBe(value)
  })

  it.each([
    ['en', 305, 'three hundred five'],
    ['de', 1101, 'eintausendeinhunderteins'],
    ['fr', 71, 'soixante et onze'],
    ['fr', 80, 'quatre-vingts'],
    ['fr', 200, 'deux cents'],
    ['es', 100, 'cien'],
    ['es', 999, 'novecientos noventa y nueve'],
    ['ja', 115, '百十五'],
    ['zh', 105, '一百零五'],
    ['zh', 10, '十'],
  ])('has its words: %s %i', (language, value, words) => {
    expect(numberWords(value, language)).toEqual([words])
  })

  it('has different words for each value of a range', () => {
    for (const language of ['en', 'de', 'fr', 'es', 'ja', 'zh']) {
      const words = Array.from({ length: 1000 }, (_, value) => numberWords(value, language).at(-1))
      expect(new Set(words).size).toBe(1000)
    }
  })

  it('has buttons only for a few values', () => {
    expect(read({ answers: 'number' }).buttons).toHaveLength(10)
    expect(read({ answers: 'number', to: '50' }).buttons).toEqual([])
  })
})

describe('a time', () => {
  it.each([
    ['en-US', 'half past seven', '07:30'],
    ['en-US', 'At seven thirty in the evening.', '19:30'],
    ['en-US', '7:30', '07:30'],
    ['en-US', 'quarter to eight', '07:45'],
    ['en-US', "twelve o'clock", '12:00'],
    ['en-US', 'ten past seven', '07:10'],
    ['en-US', 'At ten past seven.', '07:10'],
    ['en-US', 'at 20 to 8', '07:40'],
    ['en-US', 'seven oh five', '07:05'],
    ['en-US', 'twenty to eight in the evening', '19:40'],
    ['de', 'fünf vor acht', '07:55'],
    ['de', 'Um fünf vor halb acht.', '07:25'],
    ['fr-FR', 'huit heures moins le quart', '07:45'],
    ['fr-FR', 'à huit heures moins dix', '07:50'],
    ['fr-FR', 'midi et demi', '12:30'],
    ['fr-FR', 'midi moins le quart', '11:45'],
    ['es-ES', 'las ocho menos diez', '07:50'],
    ['ja', '八時五分前', '07:55'],
    ['zh-CN', '七点一刻', '07:15'],
    ['zh-CN', '八点差五分', '07:55'],
    ['de', 'Um halb acht.', '07:30'],
    ['de', '19 Uhr 30', '19:30'],
    ['fr-FR', 'à sept heures et demie', '07:30'],
    ['fr-FR', 'midi', '12:00'],
    ['es-ES', 'a las siete y media', '07:30'],
    ['es-ES', 'la una', '01:00'],
    ['ja', '七時半', '07:30'],
    ['zh-CN', '七点半', '07:30'],
  ])('is understood in the language %s: %s', (language, text, value) => {
    expect(valueFor(read({ answers: 'time' }, language), text)).toBe(value)
  })

  it.each(languages)(
    'has sentences that a service accepts, for each five minutes: %s',
    (language) => {
      const possible = read({ answers: 'time' }, language).possible!
      expect(possible.length).toBeLessThanOrEqual(5000)
      expect(new Set(possible.map(({ value }) => value)).size).toBe(288)
      expect(possible.every(({ sentence }) => sentence.length <= 200)).toBe(true)
    },
  )
})
