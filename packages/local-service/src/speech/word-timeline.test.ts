import { expect, it } from 'vitest'
import { createWordTimeline } from './word-timeline.ts'

const word = (text: string, startSeconds: number, endSeconds: number) => ({
  text,
  startSeconds,
  endSeconds,
})

it('words keep their order where one begins before an earlier one, and each comes once', () => {
  const waiting = createWordTimeline()
  waiting.push([word('late', 1.9, 1.95)])
  waiting.push([word('next', 1.75, 2.1)])
  expect(waiting.takeUntil(1.8)).toEqual([])
  expect(waiting.takeUntil(2)).toEqual([word('late', 1.9, 1.95), word('next', 1.9, 2.1)])
  expect(waiting.takeRest(2)).toEqual([])
})

it('words behind all sound are told at its end', () => {
  const waiting = createWordTimeline()
  waiting.push([word('last', 1.9, 2.2), word('silent', 2.5, 2.6)])
  expect(waiting.takeRest(2)).toEqual([word('last', 1.9, 2), word('silent', 2, 2)])
})
