import { expect, it } from 'vitest'
import { SentBytes } from './sent-bytes.ts'

it.each<[string, [number, number][], boolean]>([
  ['in one piece', [[0, 100]], true],
  ['without the first', [[1, 100]], false],
  ['without the last', [[0, 99]], false],
  [
    'without one in the middle',
    [
      [51, 100],
      [0, 50],
    ],
    false,
  ],
  [
    'in any order',
    [
      [90, 100],
      [30, 60],
      [0, 30],
      [60, 90],
    ],
    true,
  ],
  [
    'that overlap',
    [
      [20, 90],
      [0, 30],
      [80, 100],
    ],
    true,
  ],
])('the bytes of a sound %s', (_what, ranges, areAll) => {
  const sent = new SentBytes()
  for (const [start, end] of ranges) sent.add({ start, end })
  expect(sent.areAll(100)).toBe(areAll)
})

it('of a player that asks for every second byte are limited in number', () => {
  const sent = new SentBytes()
  for (let start = 0; start < 1000; start += 2) sent.add({ start, end: start + 1 })
  for (let start = 1; start < 1000; start += 2) sent.add({ start, end: start + 1 })
  expect(sent.areAll(1000)).toBe(false)
})
