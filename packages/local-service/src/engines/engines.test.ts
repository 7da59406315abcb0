import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '@parlando/test-support/keys'
import { optionalEngines, speakWhole } from '@parlando/test-support/local-service'
import { writeTinyModel } from '@parlando/test-support/tiny-tts-model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { startLocalService } from '../service.ts'
import type { Engine } from './engine.ts'
import { type EngineSettings, registry } from './registry.ts'

interface Surroundings {
  settings: Partial<EngineSettings>
  close?(): Promise<void>
}

/** What an engine needs around it to be tested; most need nothing. */
const surroundings: Readonly<Record<string, () => Promise<Surroundings>>> = {
  async upstream() {
    const service = await startLocalService({ apiKey: keys.service, warmUp: false })
    const settings = { upstream: service.baseUrl, upstreamKey: keys.service }
    return { settings, close: service.close }
  },
  async sherpa() {
    const sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
    const words =
      'good morning the coffee is ready door open something else and one more still here'
    await writeTinyModel(join(sherpaModels, 'tiny'), words.split(' '))
    const settings = { sherpaModels, dataFolder: optionalEngines }
    return { settings, close: () => rm(sherpaModels, { recursive: true }) }
  },
  espeak: async () => ({ settings: { dataFolder: optionalEngines } }),
}

/** Languages of other scripts spell Latin letters one by one. */
function sayableIn(langCode: string): string {
  const { script } = new Intl.Locale(langCode.replace('_', '-')).maximize()
  return script === 'Latn' ? 'Good morning, the coffee is ready' : '1, 2, 3, 4, 5'
}

/** What every engine must do; a new one is tested by being in the registry. */
describe.each(Object.entries(registry))('engine %s', (name, start) => {
  let engine: Engine
  let around: Surroundings | undefined
  beforeAll(async () => {
    around = await surroundings[name]?.()
    const warn = (message: string) => {
      throw new Error(message)
    }
    engine = (await start({ ...around?.settings, warn }))!
  })
  afterAll(async () => {
    await engine.close()
    await around?.close?.()
  })

  const samplesOf = async (voice: string, text: string): Promise<Float32Array> => {
    const bytes = await speakWhole(engine, voice, text)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }

  it('carries its name and has voices', () => {
    expect(engine.name).toBe(name)
    expect(engine.voices.length).toBeGreaterThan(0)
  })

  it('speaks with every voice, as long as speech takes and loud enough to hear', async () => {
    for (const { name: voice, langCode } of engine.voices) {
      const samples = await samplesOf(voice, sayableIn(langCode))
      const seconds = samples.length / engine.sampleRateHertz
      expect(seconds).toBeGreaterThan(1)
      expect(seconds).toBeLessThan(5)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      expect(Math.sqrt(power)).toBeGreaterThan(0.02)
      expect(samples.every((sample) => sample >= -1 && sample <= 1)).toBe(true)
    }
  })

  it('says the same phrase the same way, whatever was said before and runs beside', async () => {
    const voice = engine.voices[0]!.name
    const first = await speakWhole(engine, voice, 'The door is open')
    const phrases = ['Something else', 'The door is open', 'And one more', 'The door is open']
    const all = await Promise.all(phrases.map((phrase) => speakWhole(engine, voice, phrase)))
    expect(all.map((bytes) => bytes.equals(first))).toEqual([false, true, false, true])
  })

  it('bears odd phrases and is ready for the next one', async () => {
    const voice = engine.voices[0]!.name
    for (const phrase of ['', '...', '-v', '"', '\\', '<speak>', '%s%n', 'x'.repeat(60)]) {
      await speakWhole(engine, voice, phrase).catch((error) => {
        expect(error).toBeInstanceOf(EngineError)
      })
    }
    const samples = await samplesOf(voice, 'Still here')
    expect(samples.length).toBeGreaterThan(engine.sampleRateHertz / 2)
  })
})
