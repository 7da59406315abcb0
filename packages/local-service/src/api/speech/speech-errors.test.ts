import {
  createTestApp,
  post,
  speechRequest,
  useTestApp,
} from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { Scheduler } from '../../engines/schedule/scheduler.ts'

const testApp = useTestApp()

const pcm = { audio_encoding: 'PCM', sample_rate_hertz: 16000 }
const neutral = {
  language: '',
  deliveryMode: 'DELIVERY_MODE_UNSPECIFIED',
  instruction: ' ',
  temperature: 0,
  timestampType: 'TIMESTAMP_TYPE_UNSPECIFIED',
  timestampTransportStrategy: 'TIMESTAMP_TRANSPORT_STRATEGY_UNSPECIFIED',
  applyTextNormalization: 'ON',
  enhanceGeneration: false,
  enableCustomPronunciation: false,
  synthesisContext: { previousRequests: [{ text: '' }] },
}

describe('a speech request', () => {
  it.each([
    ['a body that is not JSON', 400, 3, '{"text":', /not JSON/],
    ['a body that is not an object', 400, 3, '[]', /./],
    ['no text', 400, 3, { ...speechRequest, text: undefined }, /text/],
    ['an empty text', 400, 3, { ...speechRequest, text: ' \n' }, /text must contain text to speak/],
    ['a text that is not a string', 400, 3, { ...speechRequest, text: 7 }, /text/],
    ['text in another script', 400, 3, { ...speechRequest, text: '今日は' }, /cannot say/],
    ['nothing to say', 400, 3, { ...speechRequest, text: '?!' }, /no letter/],
    ['an unknown voice', 404, 5, { ...speechRequest, voiceId: 'Nobody' }, /Nobody.*Clara/],
    [
      'an unknown model',
      400,
      3,
      { ...speechRequest, modelId: 'svc-tts-9' },
      /svc-tts-9.*svc-tts-2/,
    ],
    [
      'a name that every object inherits',
      400,
      3,
      { ...speechRequest, modelId: 'constructor' },
      /svc-tts-2/,
    ],
    [
      'a misspelt required field',
      400,
      3,
      { ...speechRequest, voiceId: undefined, voiceID: 'Clara' },
      /^voiceId is missing; voiceID is not a known field: did you mean voiceId\?/,
    ],
    [
      'an unsupported sample rate',
      400,
      3,
      { ...speechRequest, audioConfig: { sampleRateHertz: 1 } },
      /sampleRate/,
    ],
    [
      'a sample rate that the encoding does not support',
      400,
      3,
      { ...speechRequest, audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 8000 } },
      /MP3 does not support 8000/,
    ],
    [
      'a speaking rate out of range',
      400,
      3,
      { ...speechRequest, audioConfig: { speakingRate: 2 } },
      /speakingRate/,
    ],
    [
      'times of characters',
      501,
      12,
      { ...speechRequest, timestampType: 'CHARACTER' },
      /CHARACTER.*WORD/,
    ],
    ['a style instruction', 501, 12, { ...speechRequest, instruction: 'softly' }, /instruction/],
    [
      'audio enhancement',
      501,
      12,
      { ...speechRequest, enhanceGeneration: true },
      /enhanceGeneration/,
    ],
    [
      'a list of pronunciations of the workspace',
      501,
      12,
      { ...speechRequest, enableCustomPronunciation: true },
      /enableCustomPronunciation/,
    ],
    [
      'a list of pronunciations',
      501,
      12,
      {
        ...speechRequest,
        pronunciationDictionarySettings: { dictionaries: [{ dictionary: 'workspaces/a' }] },
      },
      /pronunciationDictionarySettings/,
    ],
    [
      'no text normalization',
      501,
      12,
      { ...speechRequest, applyTextNormalization: 'OFF' },
      /applyTextNorm.*ON/,
    ],
    [
      'a text to continue',
      501,
      12,
      { ...speechRequest, synthesisContext: { previousRequests: [{ text: 'Before.' }] } },
      /synthesisContext/,
    ],
    [
      'another language',
      501,
      12,
      { ...speechRequest, language: 'de-DE' },
      /Clara speaks EN_US, not de-DE; no voice of this service speaks German; to add one, choose "More voices and languages" in a form of Node-RED, or run: parlando-local voices add natural --lang de$/,
    ],
    [
      'an invalid language code',
      400,
      3,
      { ...speechRequest, language: 'plain English' },
      /plain English.*EN_US/,
    ],
    [
      'a break of a minute',
      400,
      3,
      { ...speechRequest, text: 'A <break time="60s"/> b' },
      /up to 10 s/,
    ],
    ['a direction', 501, 12, { ...speechRequest, text: 'Ha [laugh] ha' }, /\[laugh\]/],
    ['a break and no text', 400, 3, { ...speechRequest, text: '<break time="1s"/>' }, /no letter/],
  ])('is rejected with the matching status for %s', async (_what, status, code, body, message) => {
    for (const path of ['/tts/v1/voice', '/tts/v1/voice:stream']) {
      const response = await testApp.post(path, body)
      expect(response.status).toBe(status)
      const problem = await response.json()
      expect(problem).toEqual({ code, message: expect.stringMatching(message), details: [] })
    }
  })

  it.each([
    ['every field at its default', neutral],
    ['a language code in another form', { language: 'en_gb' }],
    ['the old name of a delivery mode', { deliveryMode: 'EXPRESSIVE' }],
    ['the language AUTO', { language: 'AUTO' }],
    ['keys in snake_case', { voiceId: undefined, voice_id: 'Clara', audio_config: pcm }],
  ])('is accepted with %s', async (_what, fields) => {
    const response = await testApp.post('/tts/v1/voice', { ...speechRequest, ...fields })
    expect(response.status).toBe(200)
  })

  it('is rejected if it is too large', async () => {
    const response = await testApp.post('/tts/v1/voice:stream', {
      ...speechRequest,
      text: 'a'.repeat(2_000_000),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ message: /larger than/ })
  })

  it('gets an error message of at most 2,000 characters for a long name', async () => {
    const response = await testApp.post('/tts/v1/voice', {
      ...speechRequest,
      voiceId: 'V'.repeat(100_000),
    })
    expect(response.status).toBe(404)
    const { message } = await response.json()
    expect(message).toMatch(/^Unknown voice: V+$/)
    expect(message).toHaveLength(2000)
  })

  it('is rejected if the text is too long without streaming, but can be streamed', async () => {
    const text = 'A word. '.repeat(600)
    expect((await testApp.post('/tts/v1/voice', { ...speechRequest, text })).status).toBe(400)
    const response = await testApp.post('/tts/v1/voice:stream', { ...speechRequest, text })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('is rejected with a retry time if too many requests wait', async () => {
    const { engine } = testApp.flite
    const scheduler = new Scheduler(1, 0)
    let release = () => {}
    const busy = scheduler.schedule({
      isFirst: true,
      signal: new AbortController().signal,
      run: () => new Promise<void>((resolve) => (release = resolve)),
    })
    const crowded = createTestApp({ engine, scheduler }, (error) => expect.fail(String(error)))
    await Promise.resolve()
    const startsSilent = { ...speechRequest, text: '<break time="1ms"/>Hello.' }
    for (const [path, request] of [
      ['/tts/v1/voice', speechRequest],
      ['/tts/v1/voice', startsSilent],
      ['/tts/v1/voice:stream', speechRequest],
    ] as const) {
      const response = await post(crowded, path, request)
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('1')
      const message = expect.stringMatching(/try again/)
      expect(await response.json()).toEqual({ code: 8, message, details: [] })
    }
    release()
    await busy
    expect((await post(crowded, '/tts/v1/voice', speechRequest)).status).toBe(200)
  })
})
