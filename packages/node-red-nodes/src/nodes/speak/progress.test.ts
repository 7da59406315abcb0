import { expect, it } from 'vitest'
import type { AudioStats } from './audio-facts.ts'
import { estimateProgress } from './progress.ts'

const stats = (characters: number, durationSeconds?: number) =>
  ({ characters, durationSeconds, usage: { processedCharactersCount: characters } }) as AudioStats

it.each([
  ['in the middle', stats(11_000, 645), 40_000, { percent: 49, left: '42 s' }],
  ['with minutes to go', stats(4000, 129), 60_000, { percent: 9, left: '9 min' }],
  ['without the length of the audio', stats(12_000), 30_000, { percent: 39, left: '47 s' }],
  ['never done before its end', stats(20_200, 5000), 60_000, { percent: 99, left: '1 s' }],
])('estimates the progress of a long text: %s', (_when, facts, elapsedMs, progress) => {
  expect(estimateProgress(facts, 20_300, elapsedMs)).toEqual(progress)
})

it('says nothing about a short text, or before one percent is spoken', () => {
  expect(estimateProgress(stats(2000, 10), 20_000, 1000)).toBeUndefined()
  expect(estimateProgress(stats(2000, 0.5), 30_000, 1000)).toBeUndefined()
  expect(estimateProgress({ ...stats(9, 1), usage: undefined }, 30_000, 1000)).toBeUndefined()
})
