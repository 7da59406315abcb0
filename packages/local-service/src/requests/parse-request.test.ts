import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()
const strictApp = useTestApp({ strict: true })

const speech = {
  text: 'Hi.',
  voiceId: 'Kit',
  modelId: 'svc-tts-2-flash',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
}
const requests: Readonly<Record<string, object>> = {
  '/tts/v1/voice': speech,
  '/tts/v1/voice:stream': speech,
  '/v1/audio/speech': {
    input: 'Hi.',
    voice: 'Kit',
    model: 'svc-tts-2-flash',
    response_format: 'pcm',
  },
  '/v1/chat/completions': { model: 'echo', messages: [{ role: 'user', content: 'Hi.' }] },
}

const [plain, streamed, openAi, chat] = Object.keys(requests) as [string, string, string, string]

describe('a request with something unknown', () => {
  const tools = [{ type: 'function', function: { name: 'rain', colour: 1 } }]

  it.each([
    [
      plain,
      { audioConfig: { bitrate: 64_000, temperature: 1.1 } },
      'audioConfig.bitrate, audioConfig.temperature',
      /^audioConfig.bitrate is not a known field: did you mean bitRate\?, and 1 more/,
    ],
    [streamed, { voiceID: 'Clara' }, 'voiceID', /^voiceID .* did you mean voiceId\?/],
    [plain, { deliveryMode: 'LOUD' }, 'deliveryMode', /deliveryMode must be one of .*STABLE/],
    [
      plain,
      { audioConfig: { audioEncoding: 'MP4' } },
      'audioConfig.audioEncoding',
      /audioEncoding must be one of MP3/,
    ],
    [
      plain,
      { synthesisContext: { previousRequests: [{ text: '', id: 7 }] } },
      'synthesisContext.previousRequests.0.id',
      /id is not a known field/,
    ],
    [openAi, { voiceId: 'Clara' }, 'voiceId', /^voiceId .*: did you mean voice\?/],
    [openAi, { colour: 1 }, 'colour', /^colour .*; known fields: model, input, voice/],
    [openAi, { response_format: 'm4a' }, 'response_format', /response_format must be one of mp3/],
    [openAi, { stream_format: 'wav' }, 'stream_format', /stream_format must be one of audio/],
    [chat, { maxTokens: 5 }, 'maxTokens', /maxTokens is not a known field/],
    [chat, { messages: [{ role: 'user', content: 'Hi.', id: 1 }] }, 'messages.0.id', /id/],
  ])('is accepted, or rejected by a strict service: %s %j', async (path, change, ignored, why) => {
    const request = { ...requests[path], ...change }
    const response = await testApp.post(path, request)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlando-ignored')).toBe(ignored)
    await response.body?.cancel()
    const rejection = await strictApp.post(path, request)
    expect(rejection.status).toBe(400)
    const problem = await rejection.json()
    expect((problem.error ?? problem).message).toMatch(why)
  })

  it.each([plain, streamed])('may have numbers as text: %s', async (path) => {
    const numbers = { sampleRateHertz: 24_000, speakingRate: 1.5, bitRate: 64_000 }
    const texts = { sampleRateHertz: '24000', speakingRate: '1.5', bitRate: '64e3' }
    const [first, second] = await Promise.all(
      [numbers, texts].map(async (audioConfig) => {
        const config = { ...audioConfig, audioEncoding: 'MP3' }
        const response = await testApp.post(path, { ...speech, audioConfig: config })
        return {
          status: response.status,
          ignored: response.headers.get('x-parlando-ignored'),
          body: await response.text(),
        }
      }),
    )
    expect(first).toMatchObject({ status: 200, ignored: null })
    expect(second).toEqual(first)
  })

  it.each([
    [plain, { text: null }, /^text must be text/],
    [plain, { text: 0, colour: 1 }, /^text must be text; colour is not a known field/],
    [plain, { language: 0 }, /^language must be text/],
    [plain, { audioConfig: { sampleRateHertz: 'high' } }, /sampleRateHertz must be one of 8000/],
    [plain, { audioConfig: { speakingRate: '2' } }, /speakingRate must be between 0.5 and 1.5/],
    [plain, { audioConfig: { speakingRate: '' } }, /speakingRate must be a number/],
    [plain, { deliveryMode: 2 }, /deliveryMode must be one of/],
    [plain, { audioConfig: { speakingRate: 2 } }, /speakingRate must be between 0.5 and 1.5/],
    [plain, { audioConfig: { sampleRateHertz: 1 } }, /sampleRateHertz must be one of 8000/],
    [plain, { synthesisContext: { previousRequests: [null] } }, /previousRequests.0 must be/],
    [chat, { tools: [{ type: 'tool', function: { name: 'rain' } }] }, /type must be function/],
    [chat, { tools }, /does not support tools$/],
  ])('is rejected for another reason: %s %j', async (path, change, why) => {
    const response = await testApp.post(path, { ...requests[path], ...change })
    expect(response.status).toBe(400)
    const problem = await response.json()
    expect((problem.error ?? problem).message).toMatch(why)
  })
})

it('a strict service rejects a clone with something unknown', async () => {
  const rejection = await strictApp.post('/voices/v1/voices:clone', {
    displayName: 'Me',
    langCode: 'EN_US',
    voiceSamples: [{ audioData: 'AAAA' }],
    audioProcessingConfig: { denoise: true },
  })
  expect(rejection.status).toBe(400)
  expect(await rejection.text()).toContain('audioProcessingConfig.denoise is not a known field')
})

describe('an optional field', () => {
  const neutral = { language: null, audioConfig: null, temperature: null, deliveryMode: null }

  it.each([
    [plain, neutral],
    [plain, { audioConfig: { audioEncoding: null, sampleRateHertz: 0, bitRate: 0 } }],
    [plain, { audioConfig: { ...speech.audioConfig, speakingRate: 0 } }],
    [openAi, { speed: 0, instructions: null }],
    [chat, { max_tokens: 0, stop: null, top_p: 0 }],
  ])('is not given if it is null or a 0 out of range: %s %j', async (path, change) => {
    const request = { ...requests[path], ...change }
    const response = await testApp.post(path, request)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlando-ignored')).toBe(null)
    await response.body?.cancel()
    expect((await strictApp.post(path, request)).status).toBe(400)
  })
})

describe('a query with an unknown parameter', () => {
  it.each([
    ['/voices/v1/voices?pagesize=1', 'pagesize'],
    ['/voices/v1/voices?__proto__=1', '__proto__'],
    ['/tts/v1/voice:preview?voice_id=Kit&model=svc-tts-2', 'model'],
  ])('is accepted, or rejected by a strict service: %s', async (path, name) => {
    const response = await testApp.app.request(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlando-ignored')).toBe(name)
    const rejection = await strictApp.app.request(path)
    expect(rejection.status).toBe(400)
    expect(await rejection.text()).toContain(`${name} is not a known field`)
  })
})

it.each([
  ['an unknown field', { text: '', ['x'.repeat(40)]: 1 }, 200],
  ['a value of the wrong type', null, 400],
])('%s in each of 1,600 entries does not hold the event loop', async (_what, entry, status) => {
  const synthesisContext = { previousRequests: Array(1600).fill(entry) }
  const held = await measureHold(async () => {
    expect((await testApp.post(plain, { ...speech, synthesisContext })).status).toBe(status)
  })
  expect(held).toBeLessThan(maxHoldMs)
})

describe('X-Parlando-Ignored', () => {
  it('contains at most 16 names, and no texts', async () => {
    const names = Array.from({ length: 4000 }, (_, index) => [`x${index}`, 1])
    const texts = { 'Good night,\r\nClara': 1, [`a${'b'.repeat(40)}`]: 1, '': 1 }
    const request = { ...speech, ...texts, ...Object.fromEntries(names) }
    const response = await testApp.post(plain, request)
    expect(response.status).toBe(200)
    const header = response.headers.get('x-parlando-ignored')
    expect(header).toMatch(/^\?, \?, \?, x0, .*, x12$/)
  })
})
