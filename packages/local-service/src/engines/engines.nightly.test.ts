import { speakBytes } from '@parlando/test-support/local-service/test-app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { type EngineCase, findCases } from '../part-registry/part-test-case.ts'
import type { Engine } from './engine.ts'
import { engineDefinitions } from './engine-registry.ts'

const cases = findCases<EngineCase>(import.meta.dirname)

/** Voices for other scripts spell Latin letters one by one, so they speak numbers. */
function textFor(langCode: string): string {
  const { script } = new Intl.Locale(langCode.replace('_', '-')).maximize()
  return script === 'Latn' ? 'Good morning, the coffee is ready' : '1, 2, 3, 4, 5'
}

const unusualPhrases = ['', '-v', '<speak>', 'x'.repeat(60), '...', '"', '\\', '%s%n']

/** The contract of every engine. An engine is tested as soon as the registry lists it. */
describe.each(engineDefinitions)('engine $name', ({ name, start }) => {
  let engine: Engine
  let closeCase: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const prepared: Awaited<ReturnType<EngineCase>> = await cases.start(name)
    const { close, ...context } = prepared
    closeCase = close
    const warn = (message: string) => {
      throw new Error(message)
    }
    engine = (await start({ options: {}, warn, ...context }))!
  })
  afterAll(async () => {
    await engine.close()
    await closeCase?.()
  })

  const samplesOf = async (voice: string, text: string): Promise<Float32Array> => {
    const bytes = await speakBytes(engine, voice, text)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }

  it('has its name and at least one voice', () => {
    expect(engine.name).toBe(name)
    expect(engine.voices.length).toBeGreaterThan(0)
  })

  // espeak has more than a hundred.
  const everyVoice = { timeout: 120_000 }
  it('speaks with its voices, at a plausible length and an audible level', everyVoice, async () => {
    for (const { name: voice, langCode } of engine.voices) {
      const samples = await samplesOf(voice, textFor(langCode))
      const seconds = samples.length / engine.sampleRateHertz
      expect(seconds).toBeGreaterThan(1)
      expect(seconds).toBeLessThan(5)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      expect(Math.sqrt(power)).toBeGreaterThan(0.02)
      expect(samples.every((sample) => sample >= -1 && sample <= 1)).toBe(true)
    }
  })

  it('returns the same samples for the same phrase, independent of earlier and concurrent phrases', async () => {
    const voice = engine.voices[0]!.name
    const first = await speakBytes(engine, voice, 'The door is open')
    const phrases = ['Something else', 'The door is open', 'And one more', 'The door is open']
    const all = await Promise.all(phrases.map((phrase) => speakBytes(engine, voice, phrase)))
    expect(all.map((bytes) => bytes.equals(first))).toEqual([false, true, false, true])
  })

  it('speaks an unusual phrase or throws an EngineError, and then speaks the next phrase', async () => {
    const voice = engine.voices[0]!.name
    for (const phrase of unusualPhrases) {
      await speakBytes(engine, voice, phrase).catch((error) => {
        expect(error).toBeInstanceOf(EngineError)
      })
    }
    const samples = await samplesOf(voice, 'Still here')
    expect(samples.length).toBeGreaterThan(engine.sampleRateHertz / 2)
  })
})
