import {
  integratedLoudness,
  meterRateHertz,
  truePeak,
} from '@parlando/test-support/audio/measure-loudness'
import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeAll, describe, expect, it } from 'vitest'
import { commonLufs } from '../audio/integrated-loudness.ts'
import { createResampler } from '../audio/resampler.ts'
import { joinSamples } from '../audio/signal.ts'
import { envelopeDistance, measureVoice } from './imprint/measure-voice.ts'
import { library } from './library.ts'
import type { VoiceProfile } from './profile.ts'

const testApp = useTestApp()
const rate = 16_000
const text =
  'Somebody is waiting at the garden gate for you. The washing machine has finished its cycle. ' +
  'Tomorrow will be sunny, with a light wind from the west.'

const spoken = new Map<string, Float32Array>()
const measured = new Map<string, VoiceProfile>()
beforeAll(async () => {
  for (const { voice } of library) {
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: rate }
    const request = { ...speechRequest, text, voiceId: voice.voiceId, audioConfig }
    const response = await testApp.post('/tts/v1/voice', request)
    const { audioContent } = (await response.json()) as { audioContent: string }
    const bytes = Buffer.from(audioContent, 'base64')
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, index) => {
      return bytes.readInt16LE(index * 2) / 32_768
    })
    spoken.set(voice.voiceId, samples)
    measured.set(voice.voiceId, measureVoice(samples)!)
  }
})

const names = library.map(({ voice }) => voice.voiceId)

describe('the voices of the library', () => {
  it('have the language of the voice that they are derived from', () => {
    const { voices } = testApp.flite.engine
    for (const { voice, engineVoice } of library) {
      const { langCode } = voices.find(({ name }) => name === engineVoice)!
      expect(voice.langCode, voice.voiceId).toBe(langCode)
    }
  })

  it('are at least eight, each with all fields of the voice list', () => {
    expect(new Set(names).size).toBeGreaterThanOrEqual(8)
    for (const { voice } of library) {
      expect(voice).toMatchObject({
        displayName: voice.voiceId,
        description: expect.stringMatching(/.{20}/),
        langCode: voice.tags?.includes('scottish') ? 'EN_GB' : 'EN_US',
        source: 'SYSTEM',
        gender: expect.stringMatching(/^(fe)?male$/),
        ageGroup: expect.stringMatching(/^(child|young|adult|senior)$/),
        tags: expect.arrayContaining([expect.any(String)]),
      })
    }
  })

  it('differ audibly from each other, in pitch or timbre', () => {
    for (const [index, first] of names.entries()) {
      for (const second of names.slice(index + 1)) {
        const [one, other] = [measured.get(first)!, measured.get(second)!]
        const ratio = one.pitch.medianHertz / other.pitch.medianHertz
        const semitones = Math.abs(12 * Math.log2(ratio))
        const difference = semitones / 2 + envelopeDistance(one, other)
        expect(difference, `${first} and ${second}`).toBeGreaterThan(3)
      }
    }
  })

  it('have the pitch that their shape specifies', () => {
    for (const { voice, imprint } of library) {
      if (!imprint) continue
      const ratio = measured.get(voice.voiceId)!.pitch.medianHertz / imprint.pitch.medianHertz
      expect(Math.abs(12 * Math.log2(ratio)), voice.voiceId).toBeLessThan(1)
    }
  })

  // The loudness of a few sentences differs from that of many by up to 0.7 LU. `test/intelligibility` measures many.
  it.each(names)('include %s, which is as loud as the others and not clipped', async (name) => {
    const samples = spoken.get(name)!
    const resampler = await createResampler({
      inputRateHertz: rate,
      outputRateHertz: meterRateHertz,
    })
    const heard = joinSamples([resampler.push(samples).slice(), resampler.end()])
    resampler.close()
    expect(Math.abs(integratedLoudness(heard) - commonLufs)).toBeLessThan(1)
    expect(truePeak(samples)).toBeLessThan(-1)
    const loudShare = samples.filter((sample) => Math.abs(sample) > 0.8).length / samples.length
    expect(loudShare).toBeLessThan(0.002)
  })
})
