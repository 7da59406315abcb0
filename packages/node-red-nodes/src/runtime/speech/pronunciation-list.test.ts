import { pronunciationLimits as limitsOfWire } from '@parlando/core/wire'
import { expect, it } from 'vitest'
import { isPhonetic, pronunciationLimits, readPronunciations } from './pronunciation-list.ts'

it('a list of a form has the limits of the client', () => {
  expect(pronunciationLimits).toEqual(limitsOfWire)
  const entries = Array.from({ length: 1001 }, () => ({ word: 'a', sayAs: 'b' }))
  expect(readPronunciations(entries)).toHaveLength(1000)
})

it.each([
  [undefined],
  ['Nguyen'],
  [[null, 'a', {}, { word: 'Nguyen' }, { word: ' ', sayAs: 'a' }, { word: 7, sayAs: 'a' }]],
  [
    [
      { word: 'a'.repeat(129), sayAs: 'a' },
      { word: 'a', sayAs: 'a'.repeat(201) },
    ],
  ],
])('an entry of a form that is not complete is left out: %#', (saved) => {
  const complete = { word: ' Nguyen ', sayAs: 'win', more: 1 }
  const list = Array.isArray(saved) ? [...saved, complete] : saved
  const expected = Array.isArray(saved) ? [{ word: 'Nguyen', sayAs: 'win' }] : []
  expect(readPronunciations(list)).toEqual(expected)
})

it('phonetic writing is between slashes', () => {
  expect(['/wɪn/', 'Mister /wɪn/'].map(isPhonetic)).toEqual([true, true])
  expect(['win', 'and/or', 'a/b/c', '//', '/'].map(isPhonetic)).not.toContain(true)
})
