import { type LocalService, startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
let service: LocalService
beforeAll(async () => {
  service = await startLocalService({
    apiKey,
    warmUp: false,
    modelAliases: ['svc-tts-1=svc-tts-2'],
    defaultVoice: 'Kit',
  })
})
afterAll(() => service.close())

/** A request as a client of another project sends it with its default settings. */
interface Replay {
  client: string
  /** Default: `POST`. */
  method?: string
  path: string
  headers?: Record<string, string>
  body?: object
  /** The start of the response. */
  response: RegExp
  ignored?: string
}

const basic = { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' }
const bearer = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const result =
  /^\{"audioContent":"[\w+/]{100}.*"processedCharactersCount":3,"modelId":"svc-tts-2"\}/
const line = /^\{"result":\{"audioContent":"[\w+/]{100}/
const wordTimes = /"wordAlignment":\{"words":\["Hi\."\]/
const mp3 = /^(ID3|\xff[\xe0-\xff])/
const event = /^data: \{"id":"chatcmpl-.*"object":"chat\.completion\.chunk"/

const replays: Replay[] = [
  {
    client: 'the plugin of LiveKit Agents',
    path: '/tts/v1/voice:stream',
    headers: { ...basic, 'x-user-agent': 'livekit-agents-js', 'x-request-id': 'replay-1' },
    body: {
      text: 'Hi.',
      voiceId: 'Kit',
      modelId: 'svc-tts-1',
      audioConfig: {
        audioEncoding: 'PCM',
        sampleRateHertz: 24_000,
        bitrate: 64_000,
        speakingRate: 1,
        temperature: 1.1,
      },
      temperature: 1.1,
      timestampType: 'WORD',
    },
    response: wordTimes,
    ignored: 'audioConfig.bitrate, audioConfig.temperature',
  },
  {
    client: 'the plugin of LiveKit Agents, which lists voices',
    method: 'GET',
    path: '/tts/v1/voices',
    response: /^\{"voices":\[\{"languages":\["en"\],"voiceId":"Heart"/,
  },
  {
    client: 'an SDK that sends every option, absent ones as null',
    path: '/tts/v1/voice',
    headers: { ...basic, 'x-user-agent': 'sdk-js/1.0.0' },
    body: {
      text: 'Hi.',
      voiceId: 'Kit',
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 24_000, bitRate: null },
      language: null,
      deliveryMode: 'EXPRESSIVE',
      temperature: 0,
      timestampType: 'TIMESTAMP_TYPE_UNSPECIFIED',
      applyTextNormalization: null,
    },
    response: result,
  },
  {
    client: 'a client in Go, which sends the zero value of every field',
    path: '/tts/v1/voice',
    body: {
      text: 'Hi.',
      voiceId: 'Kit',
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 0, bitRate: 0, speakingRate: 0 },
      language: '',
      instruction: '',
      temperature: 0,
      enhanceGeneration: false,
    },
    response: result,
  },
  {
    client: 'a program in Python, which encodes the colon and writes snake_case',
    path: '/tts/v1/voice%3Astream',
    headers: { ...basic, 'user-agent': 'python-requests/2.32.3', accept: '*/*' },
    body: {
      text: 'Hi.',
      voice_id: 'Kit',
      model_id: 'svc-tts-2',
      audio_config: { audio_encoding: 'LINEAR16', sample_rate_hertz: 22_050 },
    },
    response: line,
  },
  {
    client: 'a program with the name of a voice that only the hosted service has',
    path: '/tts/v1/voice',
    body: { text: 'Hi.', voiceId: 'Ashley', modelId: 'svc-tts-1' },
    response: result,
    ignored: 'voiceId',
  },
  {
    client: 'an SDK that lists voices with the parameters of a newer service',
    method: 'GET',
    path: '/voices/v1/voices?languages=EN_US&languages=EN_GB&pageSize=0&view=FULL',
    response: /^\{"voices":\[\{.*"voiceId":"Clara"/,
    ignored: 'view',
  },
  {
    client: 'the OpenAI SDK for Python, with the default model and a voice of OpenAI',
    path: '/v1/audio/speech',
    headers: { ...bearer, 'user-agent': 'OpenAI/Python 2.8.0', 'x-stainless-retry-count': '0' },
    body: { input: 'Hi.', model: 'tts-1', voice: 'alloy' },
    response: mp3,
    ignored: 'voice',
  },
  {
    client: 'an integration of Home Assistant',
    path: '/v1/audio/speech',
    headers: bearer,
    body: {
      model: 'tts-1',
      input: 'Hi.',
      voice: 'Kit',
      response_format: 'wav',
      speed: 1,
      stream: true,
    },
    response: /^RIFF....WAVEfmt /s,
    ignored: 'stream',
  },
  {
    client: 'a bridge to the Wyoming protocol, which streams raw samples',
    path: '/v1/audio/speech',
    headers: bearer,
    body: {
      model: 'gpt-4o-mini-tts',
      input: 'Hi.',
      voice: 'Kit',
      response_format: 'pcm',
      extra_body: null,
    },
    response: /./s,
    ignored: 'extra_body',
  },
  {
    client: 'the OpenAI SDK for JavaScript, which streams a chat',
    path: '/v1/chat/completions',
    headers: { ...bearer, 'user-agent': 'OpenAI/JS 6.49.0', 'x-stainless-lang': 'js' },
    body: {
      model: 'auto',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.7,
      max_completion_tokens: null,
      parallel_tool_calls: false,
      store: false,
      metadata: {},
    },
    response: event,
    ignored: 'parallel_tool_calls, store, metadata',
  },
]

function send({ method = 'POST', path, headers = basic, body }: Replay): Promise<Response> {
  return fetch(service.baseUrl + path, { method, headers, body: body && JSON.stringify(body) })
}

describe('a request of another client succeeds', () => {
  it.each(replays)('$client', async (replay) => {
    const response = await send(replay)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    expect([response.status, response.headers.get('x-parlando-ignored')], text).toEqual([
      200,
      replay.ignored ?? null,
    ])
    expect(text).toMatch(replay.response)
  })
})

const rejections: (Replay & { status: number })[] = [
  {
    client: 'a compressed body',
    path: '/tts/v1/voice',
    headers: { ...basic, 'content-encoding': 'gzip' },
    body: { text: 'Hi.', voiceId: 'Kit', modelId: 'svc-tts-2' },
    status: 415,
    response: /Content-Encoding: the service does not accept gzip/,
  },
  {
    client: 'an unknown model',
    path: '/v1/audio/speech',
    headers: bearer,
    body: { model: 'tts-2', input: 'Hi.', voice: 'Kit' },
    status: 400,
    response: /Unknown model: tts-2/,
  },
  {
    client: 'a style instruction, which the service would otherwise ignore',
    path: '/v1/audio/speech',
    headers: bearer,
    body: { model: 'tts-1', input: 'Hi.', voice: 'Kit', instructions: 'Whisper' },
    status: 400,
    response: /instructions: the voices of this device do not support style instructions/,
  },
]

describe('a request of another client gets the reason for its rejection', () => {
  it.each(rejections)('$client', async ({ status, ...replay }) => {
    const response = await send(replay)
    expect(response.status).toBe(status)
    expect(await response.text()).toMatch(replay.response)
  })
})
