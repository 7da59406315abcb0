import { describe, expect, it } from 'vitest'
import { findExtraSibilant, phoneDistance } from './phone-distance.ts'
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

it.each([
  ['L AY T S', 'L AY T', 3],
  ['L AY T S AO F', 'L AY T AO F', 3],
  ['D AO R Z', 'D AO R', 3],
  ['L AY T', 'L AY T S', undefined],
  ['L AY T S', 'L AY T S', undefined],
  ['L AY T IY', 'L AY T', undefined],
  ['L AY T S AA N', 'L AY T AO F', undefined],
])('findExtraSibilant of %s and %s is %s', (first, second, expected) => {
  expect(findExtraSibilant(first.split(' '), second.split(' '))).toBe(expected)
})

it('writeSentenceGraph shares the beginnings of sentences', () => {
  const sentences = ['stop', 'stop now', 'go on'].map((text) => text.split(' '))
  expect(writeSentenceGraph(sentences).split('\n')).toEqual([
    'FSG_BEGIN sentences',
    'NUM_STATES 6',
    'START_STATE 0',
    'FINAL_STATE 1',
    'TRANSITION 0 1 1 stop',
    'TRANSITION 0 2 1 stop',
    'TRANSITION 2 1 1 now',
    'TRANSITION 0 4 1 go',
    'TRANSITION 4 1 1 on',
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
    light: 'L AY T',
    lights: 'L AY T S',
  }
  const lookUp = (word: string) => dictionary[word]

  /** A second, in which the sounds of the language have the score −3000. */
  const searched = (found: string, score: number, rival = '', rivalScore = 0) => ({
    found: { text: found, score },
    rival: { text: rival, score: rivalScore },
    soundsScore: -3000,
    frames: 100,
  })

  it('returns the sentence as the caller wrote it; of equal ones, the first', () => {
    const { match } = createSentenceMatcher(['Go on!', 'go on', 'Stop'], lookUp)
    const found = match(searched('go on', -2000, 'stop', -2900))
    expect(found).toEqual({ sentence: 'Go on!', nearest: [], confidence: 0.5 })
  })

  it.each([
    ['hardly fits better than any sounds', 'stop', -2600],
    ['is none', '', 0],
  ])('accepts no sentence if the found one %s', (_reason, found, score) => {
    const { match } = createSentenceMatcher(['go on', 'stop'], lookUp)
    expect(match(searched(found, score))).toBeUndefined()
  })

  const near = createSentenceMatcher(['stop', 'stop now', 'go on'], lookUp)

  it.each([
    ['less', -1050],
    ['better', -900],
  ])('accepts none of two near sentences if the rival fits hardly %s', (_how, rivalScore) => {
    const match = near.match(searched('stop now', -1000, 'stop', rivalScore))
    expect(match).toMatchObject({ sentence: null, nearest: ['stop now', 'stop'] })
    expect(match).not.toHaveProperty('reason')
  })

  it.each([
    ['light on', 'lights on', -1000, 'light on'],
    ['lights on', 'light on', -1380, null],
    ['lights on', 'light on', -1400, 'lights on'],
    ['stop lights', 'stop light', -1280, null],
    ['stop lights', 'stop light', -1300, 'stop lights'],
  ])(
    'decides between %s and %s, which has a score of %d, for %s',
    (found, rival, score, sentence) => {
      const sentences = ['light on', 'lights on', 'stop light', 'stop lights']
      const { match } = createSentenceMatcher(sentences, lookUp)
      expect(match(searched(found, -1000, rival, score))).toMatchObject({ sentence })
    },
  )

  it('accepts the only sentence, which has no rival', () => {
    expect(near.match(searched('stop', -1000))).toMatchObject({ sentence: 'stop' })
  })

  it('names the two sentences that sound most like a text', () => {
    expect(near.nearest('stop')).toEqual(['stop', 'stop now'])
    expect(near.nearest('')).toHaveLength(2)
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
