import { detectTurns } from '@parlando/test-support/local-service/detect-turns'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { createTurnDetector } from './turn-detector.ts'
import {
  defaultTurnRule,
  type RealtimeTurnSettings,
  realtimeTurnRule,
  relaxedTurnRule,
  type StreamTurnSettings,
  streamTurnRule,
  withoutModel,
} from './turn-rule.ts'

const app = useTestApp()

describe('the settings of a stream', () => {
  it.each<[StreamTurnSettings, number]>([
    [{}, 500],
    [{ minEndOfTurnSilenceWhenConfident: 200 }, 500],
    [{ minEndOfTurnSilenceWhenConfident: 900 }, 900],
    [{ maxTurnSilence: 5000 }, 500],
    [{ maxTurnSilence: 300 }, 300],
    [{ minEndOfTurnSilenceWhenConfident: 200, maxTurnSilence: 400 }, 400],
    [{ minEndOfTurnSilenceWhenConfident: 900, maxTurnSilence: 800 }, 800],
  ])('%o end a turn after %d ms of silence', (settings, silenceMs) => {
    expect(withoutModel(streamTurnRule(settings))).toEqual({ ...defaultTurnRule, silenceMs })
  })

  it.each<[StreamTurnSettings, number, number]>([
    [{ minEndOfTurnSilenceWhenConfident: 200 }, 200, 1000],
    [{ minEndOfTurnSilenceWhenConfident: 20, maxTurnSilence: 1500 }, 200, 1000],
    [{ minEndOfTurnSilenceWhenConfident: 300, maxTurnSilence: 800 }, 300, 800],
  ])(
    '%o let a model judge pauses after %d ms, where it is installed',
    (settings, judgedAfterMs, silenceMs) => {
      expect(streamTurnRule(settings)).toMatchObject({ silenceMs, pauses: { judgedAfterMs } })
    },
  )

  it.each<StreamTurnSettings>([
    {},
    { maxTurnSilence: 1000 },
    { minEndOfTurnSilenceWhenConfident: 750, maxTurnSilence: 750 },
  ])('%o let it judge nothing', (settings) => {
    expect(streamTurnRule(settings).pauses).toBeUndefined()
  })

  it('with a threshold of 0 leave the end of a turn to the caller', () => {
    expect(streamTurnRule({ vadThreshold: 0 })).toMatchObject({
      detectsSpeech: false,
      maxTurnMs: 30_000,
    })
    expect(streamTurnRule({ vadThreshold: 0.7 })).toEqual({ ...defaultTurnRule, threshold: 0.7 })
  })
})

describe('the settings of a realtime session', () => {
  it.each<[RealtimeTurnSettings | null, object]>([
    [null, { detectsSpeech: false }],
    [{ type: 'server_vad' }, defaultTurnRule],
    [
      { type: 'server_vad', threshold: 0.8, prefix_padding_ms: 100, silence_duration_ms: 700 },
      { threshold: 0.8, prefixMs: 100, silenceMs: 700 },
    ],
    [{ type: 'server_vad', prefix_padding_ms: 1e9 }, { prefixMs: 5000 }],
  ])('%o are mapped onto the rule', (settings, rule) => {
    expect(realtimeTurnRule(settings)).toMatchObject(rule)
  })

  it.each([
    ['low', relaxedTurnRule, 2000],
    ['medium', defaultTurnRule, 1000],
    ['high', defaultTurnRule, 1000],
    ['auto', defaultTurnRule, 1000],
    [undefined, defaultTurnRule, 1000],
  ] as const)(
    'of the eagerness %s let a model judge pauses, where it is installed',
    (eagerness, unjudged, silenceMs) => {
      const rule = realtimeTurnRule({ type: 'semantic_vad', eagerness })
      expect(rule.silenceMs).toBe(silenceMs)
      expect(rule.pauses?.judgedAfterMs).toBe(200)
      expect(withoutModel(rule)).toEqual(unjudged)
    },
  )
})

it.each(['low', 'medium', 'high', 'auto'] as const)(
  'a greeting and a question are one turn with the eagerness %s',
  async (eagerness) => {
    const response = await app.post('/tts/v1/voice', {
      text: 'Good morning. What can you do for me?',
      voiceId: 'Clara',
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
    })
    const { audioContent } = (await response.json()) as { audioContent: string }
    const bytes = new Uint8Array(Buffer.from(audioContent, 'base64'))
    const detector = await createTurnDetector(realtimeTurnRule({ type: 'semantic_vad', eagerness }))
    const sounds = [new Int16Array(8000), new Int16Array(bytes.buffer), new Int16Array(32_000)]
    const events = await detectTurns(detector, sounds, 1600)
    expect(events.map(({ type }) => type)).toEqual(['speechStarted', 'speechStopped'])
  },
)
