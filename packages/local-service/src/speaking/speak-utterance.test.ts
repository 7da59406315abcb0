import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'
import { speechLevel } from '../audio/loudness.ts'
import { joinSamples } from '../audio/signal.ts'
import type { Engine, PhraseSound } from '../engines/engine.ts'
import { Scheduler } from '../engines/schedule/scheduler.ts'
import { createPlaybackClock } from '../engines/schedule/speech-load.ts'
import { findBaseVoice } from '../voices/base-voices.ts'
import type { SpeakingVoice } from '../voices/speaking-voice.ts'
import { soundOf } from '../voices/voice-sound.ts'
import { deliverPhrase } from './speak-utterance.ts'

const testApp = useTestApp()
const signal = new AbortController().signal
const phrase = { text: 'The laundry is done, and the garden gate is open', pauseSeconds: 0.2 }
const ralph = { voice: { voiceId: 'r' }, engine: 'flite', engineVoice: 'rms' }
const imprinted = { ...ralph, imprint: findBaseVoice('flite', 'slt')!.profile }

const plainProsody = { speakingRate: 1, liveliness: 1 }

async function speak(voice: SpeakingVoice, prosody = plainProsody, engine?: Engine) {
  const running = engine ? { engine, scheduler: new Scheduler(1, 10) } : testApp.flite
  const clock = createPlaybackClock()
  const modelId = 'svc-tts-2'
  const delivery = { running, voice, prosody, modelId, withWords: true }
  const turn = { isFirst: true, clock, speech: { noteSpoken() {} }, signal }
  const sounds: PhraseSound[] = []
  for await (const sound of deliverPhrase(phrase, delivery, turn)) sounds.push(sound)
  return {
    samples: joinSamples(sounds.map(({ samples }) => samples)),
    words: sounds.flatMap(({ words }) => words ?? []),
    longest: Math.max(...sounds.map(({ samples }) => samples.length)),
    first: sounds.find(({ samples }) => samples.length > 0)!.samples.length,
  }
}

/** An engine that speaks one word as a hum, after half a second of silence. */
const humming = (piece: number): Engine => ({
  name: 'flite',
  sampleRateHertz: 16_000,
  voices: [{ name: 'rms', langCode: 'EN_US' }],
  slots: 1,
  timesWords: true,
  unsupportedReason: () => undefined,
  async speakPhrase({ onSound }) {
    const samples = Float32Array.from({ length: 24_000 }, (_, index) => {
      return index < 8000 ? 0 : 0.2 * Math.sin(index / 20) + 0.1 * Math.sin(index / 10)
    })
    const words = [{ text: 'hum', startSeconds: 0.5, endSeconds: 1.5 }]
    for (let start = 0; start < samples.length; start += piece) {
      const isLast = start + piece >= samples.length
      onSound({ samples: samples.slice(start, start + piece), words: isLast ? words : undefined })
    }
  },
  close: async () => {},
})

it('speakPhrase only changes the loudness of the engine without imprint and prosody', async () => {
  const engine = humming(24_000)
  const { samples } = await speak(ralph, plainProsody, engine)
  const { gain } = soundOf(ralph, plainProsody)
  await engine.speakPhrase({
    voice: 'rms',
    text: '',
    modelId: '',
    withWords: false,
    signal,
    onSound({ samples: made }) {
      const expected = made.map((sample) => sample * gain)
      expect(samples.slice(480, 16_000)).toEqual(expected.slice(8000, 8000 + 15_520))
    },
  })
})

it.each([imprinted, ralph])(
  "speakPhrase returns the same samples for any split of the engine's sound",
  async (voice) => {
    const prosody = { speakingRate: 0.9, liveliness: 1.2 }
    const whole = await speak(voice, prosody, humming(24_000))
    const pieces = await speak(voice, prosody, humming(1700))
    expect(pieces.samples).toEqual(whole.samples)
  },
)

it('speakPhrase adjusts the times of words to the speaking rate', async () => {
  for (const speakingRate of [1, 0.5, 1.5]) {
    const { words } = await speak(ralph, { speakingRate, liveliness: 1 }, humming(24_000))
    expect(words).toHaveLength(1)
    expect(words[0]!.startSeconds).toBeCloseTo(0.03 / speakingRate, 2)
    expect(words[0]!.endSeconds).toBeCloseTo(1.03 / speakingRate, 2)
  }
})

it('speakPhrase counts the times of words from the same start if the silence arrives before the sound', async () => {
  const engine = humming(1700)
  const hum = { text: 'hum', startSeconds: 0.5, endSeconds: 1.5 }
  const early: Engine = {
    ...engine,
    async speakPhrase(request) {
      request.onSound({ samples: new Float32Array(), words: [hum] })
      await engine.speakPhrase({
        ...request,
        onSound: ({ samples }) => request.onSound({ samples }),
      })
    },
  }
  const [late, first] = [
    await speak(ralph, plainProsody, engine),
    await speak(ralph, plainProsody, early),
  ]
  expect(first.words).toEqual(late.words)
  expect(first.words[0]!.startSeconds).toBeCloseTo(0.03, 2)
})

it('speakPhrase is equally loud with and without an imprint', async () => {
  const levels: number[] = []
  for (const voice of [ralph, imprinted]) {
    const { samples } = await speak(voice)
    levels.push(20 * Math.log10(speechLevel(samples, 16_000)))
  }
  expect(Math.abs(levels[0]! - levels[1]!)).toBeLessThan(1.5)
})

it('speakPhrase applies an imprint in slices, the first one shorter', async () => {
  const { first, longest } = await speak(imprinted)
  expect(longest).toBeLessThan(0.4 * 16_000)
  expect(first).toBeLessThan(0.1 * 16_000)
})

it('speakPhrase ends with the pause of the phrase', async () => {
  const { samples } = await speak(imprinted)
  expect(samples.slice(-3200).every((sample) => sample === 0)).toBe(true)
})

it.each([
  ['an engine that ends at once', humming(24_000)],
  ['a voice of Flite', undefined],
])('speakPhrase begins and ends without a click: %s', async (_name, engine) => {
  for (const voice of [ralph, imprinted]) {
    const { samples } = await speak(voice, plainProsody, engine)
    const last = samples.findLastIndex((sample) => sample !== 0)
    expect(Math.abs(samples[0]!)).toBeLessThan(0.001)
    expect(Math.abs(samples[last]!)).toBeLessThan(0.001)
    const steps = samples.map((sample, index) => Math.abs(sample - (samples[index - 1] ?? 0)))
    expect(Math.max(...steps.slice(0, 16), ...steps.slice(last - 16, last + 2))).toBeLessThan(0.02)
  }
})
