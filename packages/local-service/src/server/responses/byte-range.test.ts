import { expect, it } from 'vitest'
import { readByteRange, toContentRange } from './byte-range.ts'

it.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=10-', { start: 10, end: 100 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes=99-200', { start: 99, end: 100 }],
  ['bytes=-10', { start: 90, end: 100 }],
  ['bytes=-1000', { start: 0, end: 100 }],
  ['Bytes=1-2', { start: 1, end: 3 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['seconds=0-1', undefined],
  [undefined, undefined],
])('the range of a file of 100 bytes: %s', (header, expected) => {
  expect(readByteRange(header, 100)).toEqual(expected)
})

it('an empty file has no range', () => {
  expect(readByteRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(readByteRange('bytes=-5', 0)).toBe('unsatisfiable')
})

it('a range is stated with its last byte and the length of the file', () => {
  expect(toContentRange({ start: 0, end: 10 }, 100)).toBe('bytes 0-9/100')
})
