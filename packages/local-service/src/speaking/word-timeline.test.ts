import { expect, it } from 'vitest'
import { createWordTimeline } from './word-timeline.ts'

const word = (text: string, startSeconds: number, endSeconds: number) => ({
  text,
  startSeconds,
  endSeconds,
})

it('a word timeline keeps the order of words and returns each once', () => {
  const timeline = createWordTimeline()
  timeline.push([word('late', 1.9, 1.95)])
  timeline.push([word('next', 1.75, 2.1)])
  expect(timeline.takeUntil(1.8)).toEqual([])
  expect(timeline.takeUntil(2)).toEqual([word('late', 1.9, 1.95), word('next', 1.9, 2.1)])
  expect(timeline.takeRest(2)).toEqual([])
})

it('a word timeline moves words after the end of the audio to that end', () => {
  const timeline = createWordTimeline()
  timeline.push([word('last', 1.9, 2.2), word('silent', 2.5, 2.6)])
  expect(timeline.takeRest(2)).toEqual([word('last', 1.9, 2), word('silent', 2, 2)])
})

it('a word timeline moves the phones with their words', () => {
  const phone = (startSeconds: number, endSeconds: number) => ({
    symbol: 'ə',
    viseme: 'aei',
    startSeconds,
    endSeconds,
  })
  const timeline = createWordTimeline()
  timeline.push([
    word('late', 1.9, 1.95),
    { ...word('next', 1.75, 2.1), phones: [phone(1.75, 1.9), phone(1.9, 2.1)] },
  ])
  expect(timeline.takeRest(2)[1]!.phones).toEqual([phone(1.9, 1.9), phone(1.9, 2)])
})
