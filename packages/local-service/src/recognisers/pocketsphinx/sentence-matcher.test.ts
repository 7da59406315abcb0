import { describe, expect, it } from 'vitest'
import { phoneDistance } from './phone-distance.ts'
import { writeSentenceGraph } from './sentence-graph.ts'
import { createSentenceMatcher } from './sentence-matcher.ts'
import { toSpokenWords } from './spoken-words.ts'

describe('toSpokenWords', () => {
  it.each([
    ['Turn on the light!', 'turn on the light'],
    ['It’s 7 p.m.', "it's seven p.m"],
    ['Set it to 20 %', 'set it to twenty percent'],
    ['21.5° in the living-room', 'twenty one point five degrees in the living-room'],
    [
      '0, 13, 40, 305, 1999, 250000',
      'zero thirteen forty three hundred five one thousand nine hundred ninety nine two hundred fifty thousand',
    ],
    ['call 5550100', 'call five five five zero one zero zero'],
    ['¿… – ?', ''],
  ])('reads "%s"', (sentence, spoken) => {
    expect(toSpokenWords(sentence).join(' ')).toBe(spoken)
  })
})

it('phoneDistance is 0 for equal sounds and 1 for entirely different ones', () => {
  const sounds = (text: string) => text.split(' ')
  expect(phoneDistance(sounds('D AO R'), sounds('D AO R'))).toBe(0)
  expect(phoneDistance(sounds('D AO R'), sounds('D AO'))).toBeCloseTo(1 / 3)
  expect(phoneDistance(sounds('D AO R'), sounds('K IY P'))).toBe(1)
  expect(phoneDistance([], [])).toBe(0)
  expect(phoneDistance([], sounds('D'))).toBe(1)
})

it('writeSentenceGraph shares the beginnings of sentences and makes all sentences equally likely', () => {
  const sentences = ['stop', 'stop now', 'go on'].map((text) => text.split(' '))
  expect(writeSentenceGraph(sentences).split('\n')).toEqual([
    'FSG_BEGIN sentences',
    'NUM_STATES 6',
    'START_STATE 0',
    'FINAL_STATE 1',
    'TRANSITION 0 1 0.33333333 stop',
    'TRANSITION 0 2 0.33333333 stop',
    'TRANSITION 2 1 1.00000000 now',
    'TRANSITION 0 4 0.33333333 go',
    'TRANSITION 4 1 1.00000000 on',
    'FSG_END',
    '',
  ])
})

describe('createSentenceMatcher', () => {
  const dictionary: Record<string, string> = {
    go: 'G OW',
    on: 'AA N',
    stop: 'S T AA P',
    now: 'N AW',
  }
  const lookUp = (word: string) => dictionary[word]

  it('returns the sentence as the caller wrote it; of equal ones, the first', () => {
    const { match } = createSentenceMatcher(['Go on!', 'go on', 'Stop'], lookUp)
    expect(match('go on', 'go on')).toMatchObject({ sentence: 'Go on!' })
  })

  it('accepts no sentence that differs from the free recognition', () => {
    const { match } = createSentenceMatcher(['go on', 'stop now', 'stop'], lookUp)
    const different = { sentence: null, nearest: ['stop', 'stop now'], reason: 'different' }
    expect(match('go on', 'stop')).toMatchObject(different)
    expect(match('', 'stop')).toMatchObject(different)
  })

  it('divides compounds that the dictionary does not contain', () => {
    expect(createSentenceMatcher(['go-stop'], lookUp).graph).toContain('go\n')
  })

  it('names at most ten unknown words', () => {
    const words = Array.from({ length: 12 }, (_, index) => `bl${'o'.repeat(index + 1)}p`)
    expect(() => createSentenceMatcher(words, lookUp)).toThrow(/bloooooooooop, and 2 more\. /)
    expect(() => createSentenceMatcher(['!?'], lookUp)).toThrow('none of them contains a word')
  })
})
