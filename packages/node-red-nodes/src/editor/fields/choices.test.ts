import { expect, it } from 'vitest'
import { findChoices, groupsOf } from './choices.ts'

const choices = [
  { value: 'a1', label: 'Ada', note: 'a calm woman', group: 'English', keywords: 'EN_GB' },
  { value: 'b2', label: 'Bert', note: 'a calm man', group: 'Deutsch', badge: 'clone' },
  { value: 'c3', label: 'Cleo' },
]
const found = (search: string, group?: string) =>
  findChoices(choices, search, group).map(({ value }) => value)

it('finds choices that contain every word, in any place', () => {
  expect(found('')).toEqual(['a1', 'b2', 'c3'])
  expect(found('calm')).toEqual(['a1', 'b2'])
  expect(found(' CALM clone ')).toEqual(['b2'])
  expect(found('en_gb')).toEqual(['a1'])
  expect(found('C3')).toEqual(['c3'])
  expect(found('calm cleo')).toEqual([])
})

it('filters by group', () => {
  expect(found('', 'Deutsch')).toEqual(['b2'])
  expect(found('ada', 'Deutsch')).toEqual([])
})

it('lists each group once, in order', () => {
  expect(groupsOf([...choices, ...choices])).toEqual(['Deutsch', 'English'])
})
