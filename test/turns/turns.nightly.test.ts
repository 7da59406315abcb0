import { needs } from '@parlando/test-support/programs/installed-programs'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultTurnRule } from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import { makeGuitar, makeMusic, makePads, steadyNoises } from './noises.ts'
import { arrangeNoisily, type NoisyScene, printsFigures } from './noisy-scene.ts'
import { rateHertz, recordingPrograms } from './recordings.ts'
import { record, scaleNoise } from './scene.ts'
import { findTurns, sum } from './score.ts'

/** Two hundred recordings take a while on a busy machine. */
const timeout = 600_000
const options = { timeout, ...needs(...recordingPrograms) }

const isNightly = process.env['PARLANDO_NIGHTLY'] === 'true'
const amount = isNightly ? 4 : isThoroughRun ? 1 : 1 / 5
/** Decibels below the speech. */
const levels = isThoroughRun ? [20, 10] : [10]

let scene: NoisyScene
beforeAll(() => {
  if (!options.skip) scene = arrangeNoisily(amount)
}, timeout)

async function falseStartsPerMinute(makeNoise: (length: number) => Float32Array): Promise<number> {
  const minutes = isThoroughRun ? 2 : 1
  const length = minutes * 60 * rateHertz
  const noise = scaleNoise(makeNoise(length), 0)
  const turns = await findTurns(record(new Float32Array(length), noise), defaultTurnRule)
  if (printsFigures) console.log(`${makeNoise.name}: ${turns.length / 2} starts a minute`)
  return turns.length / minutes
}

// The goals of the detector.
describe('the turns of people', options, () => {
  it('end within 100 ms of the silence in steady noise of at least 10 dB below the speech, and are not cut', async () => {
    const quiet = await scene.listen('low voices', record(scene.samples, undefined, 0.1))
    const clean = await scene.listen('no noise', record(scene.samples))
    const noisy = []
    for (const noise of isThoroughRun ? Object.keys(steadyNoises) : ['pink']) {
      for (const decibels of levels) noisy.push(await scene.listenIn(noise, decibels))
    }
    const all = sum([quiet, clean, ...noisy])
    expect(all.turns).toBeGreaterThan(isThoroughRun ? 500 : 30)
    expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.995)
    expect(all.startsCut).toBe(0)
    expect(all.endsCut).toBeLessThanOrEqual(2)
    expect(all.falseStarts).toBe(0)
  })

  it('end in time in 9 of 10 cases in music, and are not cut', async () => {
    const scores = []
    for (const decibels of levels) scores.push(await scene.listenIn('music', decibels))
    if (isThoroughRun) scores.push(await scene.listenIn('guitar', 20))
    const all = sum(scores)
    expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.9)
    expect(all.startsCut).toBe(0)
    expect(all.endsCut).toBe(0)
  })

  if (isThoroughRun) {
    it('are found among other voices', async () => {
      const all = sum([await scene.listenIn('voices', 20), await scene.listenIn('voices', 10)])
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.85)
      expect(all.startsCut).toBe(0)
    })

    it('are found in loud steady noise, at 5 dB', async () => {
      const scores = []
      for (const noise of Object.keys(steadyNoises)) scores.push(await scene.listenIn(noise, 5))
      const all = sum(scores)
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.98)
      expect(all.startsCut).toBeLessThanOrEqual(4)
      expect(all.endsCut).toBeLessThanOrEqual(2)
    })
  }
})

describe('without speech', () => {
  it.each([
    ['music', makeMusic],
    ['a guitar', makeGuitar],
    ['swelling chords', makePads],
  ])('%s, as loud as speech, starts at most one turn a minute', async (_name, makeNoise) => {
    expect(await falseStartsPerMinute(makeNoise)).toBeLessThanOrEqual(1)
  })

  it.each(Object.entries(steadyNoises))(
    '%s noise starts hardly any turn',
    async (_name, makeNoise) => {
      expect(await falseStartsPerMinute(makeNoise)).toBeLessThanOrEqual(1.5)
    },
  )
})
