import { expect, it } from 'vitest'
import { createTurnOnset } from './turn-evidence.ts'

/** Steps with voice (v) and without. */
function onsetAfter(steps: string) {
  const onset = createTurnOnset()
  for (const step of steps) onset.push(step === 'v')
  return onset
}

const times = (text: string, count: number) => text.repeat(count)

it('the start of a turn counts the voice of the latest time', () => {
  const onset = onsetAfter(times('v', 30) + times('-', 10) + times('v', 5))
  expect(onset.voiceWithin(200)).toBe(100)
  expect(onset.voiceWithin(150)).toBe(50)
  onset.clear()
  expect(onset.voiceWithin(200)).toBe(0)
})

it('a turn begins with its first syllable, unless a long pause follows that', () => {
  expect(onsetAfter(times('-', 20) + times('v', 8) + times('-', 30) + times('v', 12)).startMs).toBe(
    200,
  )
  expect(onsetAfter(times('-', 20) + times('v', 8) + times('-', 31) + times('v', 12)).startMs).toBe(
    590,
  )
})

it('a turn begins at most a second before it is found', () => {
  expect(onsetAfter(times('v-', 150)).startMs).toBe(2000)
})
