import { speakSamples, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { joinSamples } from '../../audio/signal.ts'
import { baseVoices, findBaseVoice } from '../base-voices.ts'
import type { VoiceProfile } from '../profile.ts'
import { createImprint } from './imprint.ts'
import {
  type ImprintSettings,
  imprintSettings,
  plainSettings,
  withProsody,
} from './imprint-settings.ts'
import { envelopeDistance, measureVoice, measuringRateHertz } from './measure-voice.ts'

const testApp = useTestApp()
const text = 'The washing machine has finished, and somebody is waiting at the garden gate.'
const slt = findBaseVoice('flite', 'slt')!
const rms = findBaseVoice('flite', 'rms')!

function shape(samples: Float32Array, settings: ImprintSettings, pieceSamples = samples.length) {
  const imprint = createImprint(settings, measuringRateHertz)
  const shaped: Float32Array[] = []
  for (let start = 0; start < samples.length; start += pieceSamples) {
    shaped.push(imprint.push(samples.subarray(start, start + pieceSamples)))
  }
  shaped.push(imprint.end())
  return joinSamples(shaped)
}

const speak = (engineVoice: string, phrase = text) =>
  speakSamples(testApp.flite.engine, engineVoice, phrase)

describe('an imprint', () => {
  it.each([1, 160, 999, 4001])('is the same for pieces of %i samples', async (pieces) => {
    const samples = await speak('rms', 'Somebody is waiting.')
    const settings = imprintSettings(rms, slt.profile)
    expect(shape(samples, settings, pieces)).toEqual(shape(samples, settings))
  })

  it.each([
    ['rms', slt.profile],
    ['slt', rms.profile],
    ['awb', rms.profile],
  ])('brings %s closer to another voice', async (engineVoice, target) => {
    const samples = await speak(engineVoice)
    const before = measureVoice(samples)!
    const after = measureVoice(
      shape(samples, imprintSettings(findBaseVoice('flite', engineVoice)!, target)),
    )!
    expect(semitones(after, target)).toBeLessThan(1)
    expect(envelopeDistance(after, target)).toBeLessThan(envelopeDistance(before, target) * 0.65)
    expect(Math.abs(20 * Math.log10(after.level / before.level))).toBeLessThan(2)
  })

  it('accepts silence and very short phrases', () => {
    const settings = imprintSettings(rms, slt.profile)
    for (const length of [0, 1, 100, 16_000]) {
      const shaped = shape(new Float32Array(length), settings)
      expect(shaped).toEqual(new Float32Array(Math.round(length * settings.timeFactor)))
    }
  })
})

describe('prosody', () => {
  it.each([0.5, 0.8, 1.5])(
    'with the rate %d changes the length and keeps the pitch',
    async (rate) => {
      const samples = await speak('slt')
      const settings = withProsody(plainSettings(slt), { speakingRate: rate, liveliness: 1 })
      const shaped = shape(samples, settings)
      expect(shaped.length).toBe(Math.round(samples.length / rate))
      expect(semitones(measureVoice(shaped)!, measureVoice(samples)!)).toBeLessThan(0.3)
    },
  )

  it('without liveliness is monotone, and with more liveliness has a wider melody', async () => {
    const samples = await speak('rms')
    const rangeAt = (liveliness: number) => {
      const settings = withProsody(plainSettings(rms), { speakingRate: 1, liveliness })
      return measureVoice(shape(samples, settings))!.pitch.rangeSemitones
    }
    const plain = measureVoice(samples)!.pitch.rangeSemitones
    expect(rangeAt(0)).toBeLessThan(0.5)
    expect(rangeAt(1.5)).toBeGreaterThan(plain * 1.3)
  })
})

it('base-voices.json has every voice of the default engine', () => {
  const { engine } = testApp.flite
  for (const { name } of engine.voices) expect(findBaseVoice(engine.name, name)).toBeDefined()
  const bases = baseVoices.filter((base) => base.engine === engine.name)
  expect(bases).toHaveLength(engine.voices.length)
})

it('measureVoice finds the same profile in another text', async () => {
  for (const { engine, engineVoice, profile } of baseVoices) {
    if (engine !== testApp.flite.engine.name) continue
    const measured = measureVoice(await speak(engineVoice))!
    expect(semitones(measured, profile)).toBeLessThan(0.7)
    expect(envelopeDistance(measured, profile)).toBeLessThan(2)
  }
})

function semitones(first: VoiceProfile, second: VoiceProfile): number {
  return Math.abs(12 * Math.log2(first.pitch.medianHertz / second.pitch.medianHertz))
}
