import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { expandSentences } from './command-sentences.ts'

const rooms = '{room} = kitchen, living room'

describe('the sentences', () => {
  it('are one per line, with tidy spaces and without duplicates', () => {
    const { sentences } = expandSentences('  stop \n\ngood   night\r\nstop\n')
    expect(sentences).toEqual([
      { sentence: 'stop', name: 'stop', slots: {} },
      { sentence: 'good night', name: 'good night', slots: {} },
    ])
  })

  it('contain each word of the list of a slot', () => {
    const { sentences } = expandSentences(`turn on the {room} light\n${rooms}`)
    const name = 'turn on the {room} light'
    expect(sentences).toEqual([
      { sentence: 'turn on the kitchen light', name, slots: { room: 'kitchen' } },
      { sentence: 'turn on the living room light', name, slots: { room: 'living room' } },
    ])
  })

  it('contain each combination of several slots', () => {
    const lines = ['{colour} light in the { room }', rooms, '{colour} = red, blue,']
    const { sentences } = expandSentences(lines.join('\n'))
    expect(sentences?.map(({ slots }) => slots)).toEqual([
      { colour: 'red', room: 'kitchen' },
      { colour: 'red', room: 'living room' },
      { colour: 'blue', room: 'kitchen' },
      { colour: 'blue', room: 'living room' },
    ])
  })

  it('have the name before the colon, which several lines may share', () => {
    const lines = ['light on: turn on the light', 'light on: let there be light', 'it is 10:30']
    const { sentences } = expandSentences(lines.join('\n'))
    expect(sentences?.map(({ name, sentence }) => [name, sentence])).toEqual([
      ['light on', 'turn on the light'],
      ['light on', 'let there be light'],
      ['it is 10:30', 'it is 10:30'],
    ])
  })

  it('may be typed with the characters of a Japanese or Chinese keyboard', () => {
    const { sentences } = expandSentences(
      '照明：｛部屋｝の電気をつけて\n｛部屋｝＝台所、寝室，居間',
    )
    expect(sentences?.map(({ name, sentence }) => [name, sentence])).toEqual([
      ['照明', '台所の電気をつけて'],
      ['照明', '寝室の電気をつけて'],
      ['照明', '居間の電気をつけて'],
    ])
  })

  it('are read in a time that grows with their length, also with many lists of one name', async () => {
    const lines = Array.from({ length: 11_000 }, (_, index) => `{room} = room ${index}`)
    const text = ['light {room}', ...lines].join('\n')
    const heldMs = await measureHold(async () => {
      const problem = { problem: 'too-many', count: 11_000, max: 5000 }
      expect(expandSentences(text)).toEqual({ problem })
    })
    expect(heldMs).toBeLessThan(maxHoldMs)
  })

  it('take the words of two lists of the same name', () => {
    const { sentences } = expandSentences(`light {room}\n${rooms}\n{room} = hall, kitchen`)
    expect(sentences?.map(({ slots }) => slots['room'])).toEqual(['kitchen', 'living room', 'hall'])
  })

  it('may contain a dollar sign in the words of a list', () => {
    const { sentences } = expandSentences('pay {sum}\n{sum} = $& dollars')
    expect(sentences?.[0]?.sentence).toBe('pay $& dollars')
  })
})

describe('a problem', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `word ${index}`).join(', ')

  it.each([
    ['no line', ' \n', { problem: 'none' }],
    ['only a list', rooms, { problem: 'none' }],
    ['a slot without a list', `open the {door}\n${rooms}`, { problem: 'no-list', slot: 'door' }],
    ['a slot with the name of a built-in', '{toString}', { problem: 'no-list', slot: 'toString' }],
    ['an empty list', 'light {room}\n{room} = ,', { problem: 'empty-list', slot: 'room' }],
    ['a slot twice', `from {room} to {room}\n${rooms}`, { problem: 'twice', slot: 'room' }],
    ['only a name', 'light on:', { problem: 'no-sentence', line: 'light on:' }],
    ['an open brace', 'light {room', { problem: 'brace', line: 'light {room' }],
    ['an extra brace', `light {room}}\n${rooms}`, { problem: 'brace', line: 'light {room}}' }],
    ['a long sentence', 'na '.repeat(70), { problem: 'too-long', line: `${'na '.repeat(13)}…` }],
    [
      'too many sentences',
      `{a} {b} {c}\n{a} = ${twenty}\n{b} = ${twenty}\n{c} = ${twenty}`,
      { problem: 'too-many', count: 8000, max: 5000 },
    ],
  ])('is reported: %s', (_what, text, problem) => {
    expect(expandSentences(text)).toEqual({ problem })
  })

  it('is found at once, however many sentences the lists would make', () => {
    const slots = Array.from({ length: 10 }, (_, index) => `{s${index}}`)
    const lists = slots.map((slot) => `${slot} = ${twenty}`)
    const { problem } = expandSentences([slots.join(' '), ...lists].join('\n')) as {
      problem: object
    }
    expect(problem).toEqual({ problem: 'too-many', count: 20 ** 10, max: 5000 })
  })
})
