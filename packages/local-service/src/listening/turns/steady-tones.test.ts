import { voicedSound, whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { createSteadyTones } from './steady-tones.ts'

const rateHertz = 16_000

function chord(frequenciesHertz: readonly number[]): Int16Array {
  return Int16Array.from({ length: rateHertz }, (_, at) => {
    const angle = (2 * Math.PI * at) / rateHertz
    return frequenciesHertz.reduce((sum, hertz) => sum + 3000 * Math.sin(angle * hertz), 0)
  })
}

/** The share of the frames, without the first ones, that are steady tones. */
function steadyShare(sound: Int16Array): number {
  const tones = createSteadyTones()
  const frames = Array.from({ length: 50 }, (_, frame) => {
    tones.push(sound.subarray(frame * 320, (frame + 1) * 320))
    return tones.detect()
  })
  return frames.slice(8).filter(Boolean).length / 42
}

it.each([
  ['a chord', chord([262, 330, 392, 523])],
  ['a high tone', chord([1200])],
])('%s is steady tones', (_name, sound) => {
  expect(steadyShare(sound)).toBe(1)
})

it.each([
  ['a voice', voicedSound({ seconds: 1 }), 0.4],
  ['noise', whiteNoise(rateHertz, 0.1), 0],
  ['silence', new Int16Array(rateHertz), 0],
])('%s is hardly ever steady tones', (_name, sound, maxShare) => {
  expect(steadyShare(sound)).toBeLessThanOrEqual(maxShare)
})

it('the result does not depend on how often it was asked for', () => {
  const [asked, notAsked] = [createSteadyTones(), createSteadyTones()]
  const sound = chord([262, 330, 392])
  for (let start = 0; start < 3200; start += 320) {
    for (const tones of [asked, notAsked]) tones.push(sound.subarray(start, start + 320))
    asked.detect()
  }
  expect(notAsked.detect()).toBe(asked.detect())
})
