import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs'
import { isThoroughRun } from '@parlando/test-support/property-runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpeechDetector } from '../../packages/local-service/src/listening/turns/detectors.ts'
import { startSilero } from '../../packages/local-service/src/listening/turns/silero/silero-detector.ts'
import { defaultTurnRule } from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import { makeGuitar, makeMusic, makePads, steadyNoises } from './noises.ts'
import { makeBabble, rateHertz, readRecordings, recordingPrograms } from './recordings.ts'
import { arrange, record, type Scene, scaleNoise } from './scene.ts'
import { findTurns, type Score, score, sum } from './score.ts'
import { downloadSilero } from './silero-model.ts'

/** Two hundred recordings take a while on a busy machine. */
const timeout = 600_000
const options = { timeout, ...needs(...recordingPrograms) }

/** Prints the rows of the table in docs/turns.md, which a thorough run measures. */
const prints = process.env['PARLANDO_PRINT_TURNS'] === 'true'

const isNightly = process.env['PARLANDO_NIGHTLY'] === 'true'
const amount = isNightly ? 4 : isThoroughRun ? 1 : 1 / 5
/** Decibels below the speech. */
const levels = isThoroughRun ? [20, 10] : [10]
const noiseMakers: Readonly<Record<string, (length: number) => Float32Array>> = {
  ...steadyNoises,
  music: makeMusic,
  guitar: makeGuitar,
  voices: makeBabble,
}

let scene: Scene
/** Each is made when a test needs it, which takes seconds. */
const noises = new Map<string, Float32Array>()
beforeAll(() => {
  if (!options.skip) scene = arrange(readRecordings(amount))
}, timeout)

async function listen(
  name: string,
  samples: Int16Array,
  speechDetector?: SpeechDetector,
): Promise<Score> {
  const turns = await findTurns(samples, defaultTurnRule, speechDetector)
  const found = score(turns, scene.speech, defaultTurnRule)
  if (prints) print(name, found)
  return found
}

function listenIn(
  noise: string,
  decibelsBelowSpeech: number,
  speechDetector?: SpeechDetector,
): Promise<Score> {
  const samples = noises.get(noise) ?? noiseMakers[noise]!(scene.samples.length)
  noises.set(noise, samples)
  const scaled = scaleNoise(samples, decibelsBelowSpeech)
  return listen(
    `${noise}, ${decibelsBelowSpeech} dB`,
    record(scene.samples, scaled),
    speechDetector,
  )
}

function print(name: string, { turns, startDelays, endDelays, ...counts }: Score): void {
  const middle = (values: readonly number[], share: number) => {
    const sorted = [...values].sort((first, second) => first - second)
    return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  }
  const { endsInTime, startsCut, endsCut, falseStarts } = counts
  const delays = [startDelays, endDelays].map(
    (values) => `${middle(values, 0.5)} / ${middle(values, 0.95)}`,
  )
  console.log(
    `| ${[name, `${endsInTime} of ${turns}`, startsCut, endsCut, falseStarts, ...delays].join(' | ')} |`,
  )
}

async function falseStartsPerMinute(makeNoise: (length: number) => Float32Array): Promise<number> {
  const minutes = isThoroughRun ? 2 : 1
  const length = minutes * 60 * rateHertz
  const noise = scaleNoise(makeNoise(length), 0)
  const turns = await findTurns(record(new Float32Array(length), noise), defaultTurnRule)
  if (prints) console.log(`${makeNoise.name}: ${turns.length / 2} starts a minute`)
  return turns.length / minutes
}

// The goals of the detector.
describe('the turns of people', options, () => {
  it('end within 100 ms of the silence in steady noise of at least 10 dB below the speech, and are not cut', async () => {
    const quiet = await listen('low voices', record(scene.samples, undefined, 0.1))
    const clean = await listen('no noise', record(scene.samples))
    const noisy = []
    for (const noise of isThoroughRun ? Object.keys(steadyNoises) : ['pink']) {
      for (const decibels of levels) noisy.push(await listenIn(noise, decibels))
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
    for (const decibels of levels) scores.push(await listenIn('music', decibels))
    if (isThoroughRun) scores.push(await listenIn('guitar', 20))
    const all = sum(scores)
    expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.9)
    expect(all.startsCut).toBe(0)
    expect(all.endsCut).toBe(0)
  })

  if (isThoroughRun) {
    it('are found among other voices', async () => {
      const all = sum([await listenIn('voices', 20), await listenIn('voices', 10)])
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.85)
      expect(all.startsCut).toBe(0)
    })

    it('are found in loud steady noise, at 5 dB', async () => {
      const scores = []
      for (const noise of Object.keys(steadyNoises)) scores.push(await listenIn(noise, 5))
      const all = sum(scores)
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.98)
      expect(all.startsCut).toBeLessThanOrEqual(4)
      expect(all.endsCut).toBeLessThanOrEqual(2)
    })
  }
})

// The folder that contains the model. The nightly tests download it.
const givenModels = process.env['PARLANDO_LOCAL_SHERPA_MODELS']

if (givenModels || isNightly) {
  describe('the turns of people, found with Silero', options, () => {
    let folder: string
    let silero: SpeechDetector
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parlando-silero-'))
      if (!givenModels) downloadSilero(folder)
      const warn = (message: string) => console.warn(message)
      const sherpaModels = givenModels ?? folder
      silero = (await startSilero({ sherpaModels, dataFolder: optionalEnginesFolder, warn }))!
    })
    afterAll(async () => {
      await silero?.close()
      await rm(folder, { recursive: true })
    })

    it('end in time in 98 of 100 cases in music, and are not cut', async () => {
      const all = sum([await listenIn('music', 20, silero), await listenIn('music', 10, silero)])
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.98)
      expect(all.startsCut).toBe(0)
      expect(all.endsCut).toBe(0)
    })

    it('end in time in steady noise of 10 dB below the speech', async () => {
      const scores = []
      for (const noise of Object.keys(steadyNoises)) scores.push(await listenIn(noise, 10, silero))
      const all = sum(scores)
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.99)
      expect(all.startsCut).toBe(0)
    })
  })
}

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
