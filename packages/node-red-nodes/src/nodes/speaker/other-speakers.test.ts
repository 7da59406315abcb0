import { createFakeSpeaker } from '@parlando/test-support/node-red/fake-speaker'
import { expect, it } from 'vitest'
import { otherSpeakers } from './other-speakers.ts'

const speakers = [
  { ...createFakeSpeaker('kitchen'), room: 'Ground floor' },
  { ...createFakeSpeaker('a1b2'), name: 'Hall', room: 'ground floor' },
  createFakeSpeaker('bedroom'),
]

it.each([
  [['', 'a1b2'], ['a1b2']],
  [
    ['hall', 'a1b2', 'bedroom'],
    ['a1b2', 'bedroom'],
  ],
  [['Ground Floor'], ['a1b2']],
  [['kitchen', 'removed'], []],
  ['bedroom', ['bedroom']],
  [['everywhere'], ['a1b2', 'bedroom']],
  [undefined, []],
  [[null, {}, 7], []],
])('a speaker with the others %j finds %j', (names, ids) => {
  expect(otherSpeakers('kitchen', names, speakers).map(({ id }) => id)).toEqual(ids)
})
