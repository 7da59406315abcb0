import { expect, it } from 'vitest'
import { isSavedLongText } from './long-text.ts'

const saved = {
  ...{ id: 'text', nodeId: 'speak', message: {}, request: {}, isPaused: false },
  ...{ parts: [{ text: 'One.' }], jobNames: ['job'] },
}

it.each([{}, { countedSeconds: 2.5 }])('a saved long text may have %j', (facts) => {
  expect(isSavedLongText({ ...saved, ...facts })).toBe(true)
})

it.each([
  { countedSeconds: {} },
  { countedSeconds: '2.5' },
  { countedSeconds: null },
  { parts: [{}] },
  { jobNames: 'job' },
  { message: [] },
])('a damaged file with %j is not a saved long text', (damage) => {
  expect(isSavedLongText({ ...saved, ...damage })).toBe(false)
})
