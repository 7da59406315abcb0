import { expect, it } from 'vitest'
import { createEndOfTurn } from './end-of-turn.ts'

/** Pairs of a level in dB and how long it lasts in milliseconds. */
type Sound = [db: number, ms: number][]

/** @returns when the recording ended, in milliseconds, and why. */
function endOf(sound: Sound) {
  const push = createEndOfTurn()
  let ms = 0
  for (const [db, durationMs] of sound) {
    for (let at = 0; at < durationMs; at += 20) {
      ms += 20
      // Speech and noise vary by a few dB.
      const reason = push(db + Math.sin(ms / 7))
      if (reason) return { reason, ms }
    }
  }
  return undefined
}

const words: Sound = [
  [-25, 300],
  [-50, 100],
  [-22, 400],
  [-52, 300],
  [-24, 500],
]

it.each<[string, Sound]>([
  ['a quiet room', [[-62, 1000], ...words, [-62, 2000]]],
  [
    'a room with noise',
    [
      [-38, 1000],
      ...words.map(([db, ms]): [number, number] => [Math.max(db, -38), ms]),
      [-38, 2000],
    ],
  ],
  ['a microphone without any noise', [[-70, 1000], ...words, [-70, 2000]]],
  ['a person who speaks at once', [...words, [-60, 2000]]],
])('a recording ends 0.8 s after the last word: %s', (_name, sound) => {
  const spokenMs = sound.slice(0, -1).reduce((sum, [, ms]) => sum + ms, 0)
  const end = endOf(sound)
  expect(end?.reason).toBe('silence')
  expect(end!.ms).toBeGreaterThanOrEqual(spokenMs + 780)
  expect(end!.ms).toBeLessThan(spokenMs + 1000)
})

it('a pause for breath does not end a recording', () => {
  expect(endOf([[-60, 500], ...words, [-60, 700], ...words, [-60, 400]])).toBeUndefined()
})

it('a recording without speech ends after 8 s, also after a click', () => {
  const end = { reason: 'nothing said', ms: 8000 }
  expect(endOf([[-60, 10_000]])).toEqual(end)
  expect(
    endOf([
      [-60, 500],
      [-20, 60],
      [-60, 10_000],
    ]),
  ).toEqual(end)
})

it('noise that begins in a recording does not keep it open', () => {
  const end = endOf([[-60, 500], ...words, [-40, 20_000]])
  expect(end?.reason).toBe('silence')
  expect(end!.ms).toBeLessThan(10_000)
})
