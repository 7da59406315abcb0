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
  expect(phoneDistance(sounds('L AY T S'), sounds('L AY T Z'))).toBe(1 / 8)
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

  const decoded = (text: string, score: number) => ({ text, score })
  const nothing = decoded('', 0)

  it('returns the sentence as the caller wrote it; of equal ones, the first', () => {
    const { match } = createSentenceMatcher(['Go on!', 'go on', 'Stop'], lookUp)
    const { sentence } = match(decoded('go on', -100), nothing, decoded('go on', -200))
    expect(sentence).toBe('Go on!')
  })

  const different = { sentence: null, nearest: ['stop', 'stop now'], reason: 'different' }

  it.each([
    ['sounds different', decoded('go on', -100), decoded('stop', -200)],
    ['fits the samples better', decoded('stop', -200), decoded('stop', -100)],
    ['is the only result', decoded('', 0), decoded('stop', -100)],
  ])('accepts no sentence if the free recognition %s', (_reason, found, free) => {
    const { match } = createSentenceMatcher(['go on', 'stop now', 'stop'], lookUp)
    expect(match(found, nothing, free)).toMatchObject(different)
  })

  const near = createSentenceMatcher(['stop', 'stop now'], lookUp)
  const stopNow = decoded('stop now', -1000)

  it('decides between near sentences by the free recognition', () => {
    const match = near.match(stopNow, decoded('stop', -1200), decoded('stop now', -2000))
    expect(match).toMatchObject({ sentence: 'stop now' })
  })

  it.each([
    ['the free recognition sounds like the rival', -1200, 'stop'],
    ['the rival fits better', -900, 'stop now'],
  ])('accepts none of two near sentences if %s', (_reason, rivalScore, free) => {
    const match = near.match(stopNow, decoded('stop', rivalScore), decoded(free, -2000))
    expect(match).toMatchObject({ sentence: null, nearest: ['stop now', 'stop'] })
    expect(match).not.toHaveProperty('reason')
  })

  it('leaves the found sentence out of the graph of its rivals', () => {
    expect(near.graphWithout('stop')).toContain(' now\n')
    expect(near.graphWithout('stop now')).not.toContain(' now\n')
    expect(createSentenceMatcher(['stop'], lookUp).graphWithout('stop')).toBeUndefined()
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
