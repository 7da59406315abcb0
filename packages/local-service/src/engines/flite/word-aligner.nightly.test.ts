import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { joinSamples } from '../../audio/signal.ts'
import type { PhraseSound } from '../engine.ts'

const testApp = useTestApp()

async function speak(voice: string, text: string, withWords = true) {
  const sounds: PhraseSound[] = []
  const { engine } = testApp.flite
  await engine.speakPhrase({
    voice,
    text,
    modelId: 'svc-tts-2',
    withWords,
    signal: new AbortController().signal,
    onSound: (sound) => sounds.push(sound),
  })
  const samples = joinSamples(sounds.map((sound) => sound.samples))
  const words = sounds.flatMap((sound) => sound.words ?? [])
  return { samples, words, seconds: samples.length / engine.sampleRateHertz }
}

describe.each(['slt', 'rms', 'awb', 'kal16'])('the word times of voice %s', (voice) => {
  it.each([
    ['The laundry is done.', 'The laundry is done.'],
    ['“Hello—world”, it’s OK…', '“Hello—world”, it’s OK…'],
    ['On 11/21 Dr. Smith paid $42.50 — twice 👋', 'On 11/21 Dr. Smith paid $42.50 twice'],
    ['I said (yes) [1] at 10:30, re-do 1,234', 'I said (yes) [1] at 10:30, re-do 1,234'],
    ['One. Two three! Four?', 'One. Two three! Four?'],
    ['a a a, the the', 'a a a, the the'],
  ])(
    'contain the words of %j as written, in order, with times inside the audio',
    async (text, expected) => {
      const { words, seconds } = await speak(voice, text)
      expect(words.map((word) => word.text).join(' ')).toBe(expected)
      let last = 0
      for (const { startSeconds, endSeconds } of words) {
        expect(startSeconds).toBeGreaterThanOrEqual(last)
        expect(endSeconds).toBeGreaterThan(startSeconds)
        last = endSeconds
      }
      expect(last).toBeLessThanOrEqual(seconds)
    },
  )

  it('match the audio of each word, with silence between them', async () => {
    const { samples, words } = await speak(voice, 'Good morning. Welcome.')
    const power = (from: number, to: number) => {
      const { sampleRateHertz } = testApp.flite.engine
      const part = samples.slice(from * sampleRateHertz, to * sampleRateHertz)
      return part.reduce((sum, sample) => sum + sample * sample, 0) / part.length
    }
    const [good, morning, welcome] = words
    const loudness = words.map((word) => power(word.startSeconds, word.endSeconds))
    const silences = [
      power(0, good!.startSeconds - 0.05),
      power(morning!.endSeconds + 0.1, welcome!.startSeconds - 0.05),
    ]
    expect(Math.min(...loudness)).toBeGreaterThan(Math.max(...silences) * 20)
  })

  it('contain the phones of each word, which fill its time', async () => {
    const { words } = await speak(voice, 'The cheap sheep—Beth’s.')
    const symbols = words.map(({ phones = [] }) => phones.map(({ symbol }) => symbol))
    expect(symbols).toEqual([
      ['ð', 'ə'],
      ['tʃ', 'iː', 'p'],
      ['ʃ', 'iː', 'p', 'b', 'ɛ', 'θ', 's'],
    ])
    expect(words[1]!.phones!.map(({ viseme }) => viseme)).toEqual(['chjsh', 'ee', 'bmp'])
    for (const { phones = [], startSeconds, endSeconds } of words) {
      let last = startSeconds
      for (const phone of phones) {
        expect(phone.startSeconds).toBeGreaterThanOrEqual(last)
        expect(phone.endSeconds).toBeGreaterThan(phone.startSeconds)
        last = phone.endSeconds
      }
      expect(phones[0]!.startSeconds).toBe(startSeconds)
      expect(last).toBe(endSeconds)
    }
  })

  it('do not change the audio', async () => {
    const text = 'The same sound, with times and without'
    const { samples } = await speak(voice, text, false)
    expect((await speak(voice, text)).samples).toEqual(samples)
    expect((await speak(voice, text, false)).samples).toEqual(samples)
  })
})
