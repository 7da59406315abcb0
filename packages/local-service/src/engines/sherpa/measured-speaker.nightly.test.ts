import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTinyModel } from '@parlando/test-support/local-service/models/tiny-tts-model'
import { optionalEnginesFolder, speakSamples } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commonLufs, integratedLoudness } from '../../audio/integrated-loudness.ts'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import type { Engine } from '../engine.ts'
import { measuringText } from '../model-loudness.ts'
import { createSherpaEngine } from './sherpa-engine.ts'

const words = 'good evening nice people welcome in our little garden'.split(' ')
const text = words.join(' ')
const measuringWords = measuringText('EN_US').toLowerCase().replaceAll('.', '').split(' ')

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-loudness-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Starts the engine as a new process would. */
async function start(folder: string): Promise<Engine> {
  const engine = await createSherpaEngine({
    findFolders: async () => [folder],
    package: findSherpa([optionalEnginesFolder]),
    warn(message) {
      throw new Error(message)
    },
  })
  onTestFinished(() => engine!.close())
  return engine!
}

async function loudnessOf(engine: Engine, voice: string): Promise<number> {
  return integratedLoudness(await speakSamples(engine, voice, text), engine.sampleRateHertz)
}

const expectCommon = (lufs: number) => expect(Math.abs(lufs - commonLufs)).toBeLessThan(0.5)

describe('a voice of a model', () => {
  it('whose lexicon lacks words of the measured text has the common loudness after its first phrase, also after a restart', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    const engine = await start(folder)
    const first = await loudnessOf(engine, 'sherpa-tiny')
    expect(Math.abs(first - commonLufs)).toBeGreaterThan(2)
    expectCommon(await loudnessOf(engine, 'sherpa-tiny'))
    expectCommon(await loudnessOf(await start(folder), 'sherpa-tiny'))
  })

  it('that can speak the measured text has it from its first phrase on, for each speaker', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'choir'), [...words, ...measuringWords], 2)
    const engine = await start(folder)
    // Tones of other letters, so they are not equally loud.
    for (const speaker of [0, 1]) {
      const lufs = await loudnessOf(engine, `sherpa-choir-${speaker}`)
      expect(Math.abs(lufs - commonLufs)).toBeLessThan(1.5)
    }
    const kept = JSON.parse(await readFile(join(folder, 'choir/loudness.json'), 'utf8'))
    expect(kept).toEqual({ lufs: { 0: expect.any(Number), 1: expect.any(Number) } })
  })

  it('is measured again if the file is damaged or states what no voice has', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    for (const content of ['{"lufs":', '{"lufs":{"0":12}}', '[]']) {
      await writeFile(join(folder, 'tiny/loudness.json'), content)
      const engine = await start(folder)
      await loudnessOf(engine, 'sherpa-tiny')
      expectCommon(await loudnessOf(engine, 'sherpa-tiny'))
    }
  })
})
