import { runInNewContext } from 'node:vm'
import { RED } from '@parlando/test-support/node-red/fake-red'
import { describe, expect, it } from 'vitest'
import { readCommandObject } from './read-command-object.ts'

const clock = { nowMs: Date.parse('2026-11-26T15:00:00Z'), timeZone: 'Europe/Berlin' }
const minute = 60_000

describe('a change in msg.remind', () => {
  const read = (change: object, language = 'en') =>
    readCommandObject({ command: 'change', name: 'tea', ...change }, { RED, language, clock })

  it.each([
    ['en', 'ten minutes', { days: 0, exactMs: 10 * minute }],
    ['en', '2 h', { days: 0, exactMs: 120 * minute }],
    ['en', 'one day', { days: 1, exactMs: 0 }],
    ['en', 'by ten minutes', { days: 0, exactMs: 10 * minute }],
    ['de', 'eine halbe Stunde', { days: 0, exactMs: 30 * minute }],
    ['de', 'half an hour', { days: 0, exactMs: 30 * minute }],
    ['zh', '十分钟', { days: 0, exactMs: 10 * minute }],
  ])('in the language %s moves by: %s', (language, by, expected) => {
    expect(read({ by }, language)).toMatchObject({ command: 'change', name: 'tea', by: expected })
  })

  it.each([
    ['a time', { by: 'at seven' }],
    ['a number', { by: 10 }],
    ['nothing', {}],
    ['an earlier time', { by: 'ten minutes earlier' }],
  ])('is rejected with %s', (_kind, change) => {
    expect(() => read(change)).toThrow('not-understood')
  })

  it('to a day alone keeps the time of day of the reminder', () => {
    expect(read({ when: 'to Saturday' })).toEqual({
      command: 'change',
      name: 'tea',
      days: [Date.parse('2026-11-28'), Date.parse('2026-12-05')],
      isOnce: false,
    })
  })
})

it.each([
  ['tea', { isAll: false, isEach: true }],
  ['', { isAll: true, isEach: false }],
])('a cancellation of all with the name "%s" is of each that has it', (name, expected) => {
  const command = { command: 'cancel', name, all: true }
  expect(readCommandObject(command, { RED, language: 'en', clock })).toMatchObject(expected)
})

describe('a time in msg.remind', () => {
  const read = (when: unknown) => readCommandObject({ when }, { RED, language: 'en', clock })

  it.each([
    ['a Date', new Date(clock.nowMs + minute)],
    ['a Date of a function node', runInNewContext(`new Date(${clock.nowMs + minute})`)],
    ['milliseconds', clock.nowMs + minute],
    ['an ISO date', '2026-11-26T16:01'],
  ])('may be %s', (_kind, when) => {
    expect(read(when)).toMatchObject({ when: { dueMs: clock.nowMs + minute } })
  })

  it.each([
    [new Date(Number.NaN)],
    [clock.nowMs],
    [1e300],
    [Infinity],
    [null],
    [{}],
    [['in ten minutes']],
  ])('is rejected: %s', (when) => {
    expect(() => read(when)).toThrow('not-understood')
  })
})
