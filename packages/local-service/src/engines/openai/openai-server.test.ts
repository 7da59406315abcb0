import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeWavHeader } from '@parlando/core/audio'
import { keys } from '@parlando/test-support/keys'
import { toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import { startTestServer } from '@parlando/test-support/test-server'
import { unreachableUrl } from '@parlando/test-support/unreachable-url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRemoteEngine } from '../remote/remote-engine.ts'
import { createOpenAiServer } from './openai-server.ts'

const apiKey = keys.upstream
const tone = toneOfText('Good morning', 24_000)

interface Speech {
  model: string
  input: string
  voice?: string
  response_format: string
  stream?: boolean
}

/** How a server responds. */
interface StandIn {
  /** By path. Default: 404. */
  lists?: Readonly<Record<string, unknown>>
  speak?(response: ServerResponse, speech: Speech, request: IncomingMessage): void
}

const kokoro: StandIn = {
  lists: { '/v1/audio/voices': { voices: ['af_heart', 'bf_emma', 'zm_yunxi'] } },
  speak: (response) => void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone),
}

async function open(
  { lists = {}, speak = kokoro.speak! }: StandIn,
  options: { path?: string; voices?: readonly string[]; timeLimitMs?: number } = {},
) {
  const server = await startTestServer((response, request, bytes) => {
    const list = lists[request.url ?? '']
    if (request.method === 'GET') {
      return void response.writeHead(list ? 200 : 404).end(JSON.stringify(list ?? { detail: 'no' }))
    }
    if (request.url !== '/v1/audio/speech') return void response.writeHead(404).end()
    speak(response, JSON.parse(Buffer.from(bytes).toString()), request)
  })
  const { path = '/v1', voices, timeLimitMs } = options
  return { server, ...(await openEngine(server.baseUrl + path, { voices, timeLimitMs })) }
}

async function openEngine(
  baseUrl: string,
  { voices, timeLimitMs }: { voices?: readonly string[]; timeLimitMs?: number } = {},
) {
  const warnings: string[] = []
  const subject = `The speech server, ${baseUrl},`
  const serverName = { subject, option: '--speech-upstream', apiKey }
  const engine = await createRemoteEngine({
    ...{ name: 'openai', address: baseUrl, serverName, timeLimitMs },
    server: createOpenAiServer({
      ...{ baseUrl, serverName, model: 'tts-1', voices, pcmRateHertz: 24_000 },
    }),
    warn: (problem) => warnings.push(problem),
  })
  onTestFinished(() => engine.close())
  const sounds: Float32Array[] = []
  const speak = (text = 'Good morning', voice = engine.voices[0]!.name, signal?: AbortSignal) =>
    engine.speakPhrase({
      ...{ voice, text, modelId: 'svc-tts-2', withWords: false },
      signal: signal ?? new AbortController().signal,
      onSound: ({ samples }) => void sounds.push(samples),
    })
  const seconds = () => sounds.reduce((sum, { length }) => sum + length, 0) / 24_000
  return { engine, warnings, speak, sounds, seconds }
}

function wavOf(bytes: Uint8Array): Buffer {
  const header = writeWavHeader({ sampleRateHertz: 24_000, dataBytes: bytes.length })
  return Buffer.concat([header, bytes])
}

describe('the voices of a server of the OpenAI API', () => {
  it('are named after the server, with the language and the gender in the names of Kokoro', async () => {
    const { engine, server } = await open(kokoro)
    const { host } = new URL(server.baseUrl)
    expect(engine.voices).toMatchObject([
      {
        name: 'openai-af_heart',
        langCode: 'EN_US',
        voice: {
          voiceId: 'openai-af_heart',
          displayName: `af_heart (${host})`,
          langCode: 'EN_US',
          gender: 'female',
        },
      },
      { name: 'openai-bf_emma', langCode: 'EN_GB' },
      { name: 'openai-zm_yunxi', langCode: 'ZH_CN', voice: { gender: 'male' } },
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`)
  })

  it.each<[string, unknown]>([
    ['texts', { voices: ['ada', 'bob'] }],
    ['objects with ids', { voices: [{ id: 'ada', name: 'Ada L.' }, { id: 'bob' }] }],
    ['objects with names', { voices: [{ name: 'ada', language: 'en-us' }, { name: 'bob' }] }],
    ['objects with voice_id', [{ voice_id: 'ada' }, { voice_id: 'bob' }]],
    ['data', { object: 'list', data: [{ id: 'ada' }, { id: 'bob' }, { id: '' }, 7, null] }],
    ['an array with duplicates', ['ada', 'bob', 'ada']],
  ])('are read from a list of %s', async (_what, list) => {
    const { engine } = await open({ lists: { '/v1/audio/voices': list } })
    expect(engine.voices.map(({ name }) => name)).toEqual(['openai-ada', 'openai-bob'])
    expect(engine.problem).toBeUndefined()
  })

  it('are the models that speak, if the server has no voices', async () => {
    const data = ['llama-3', 'whisper-1', 'voice-en-us-amy-low', 'tts-1', 'gpt-realtime-tts']
    const models = { data: [...data.map((id) => ({ id })), { id: 'x', task: 'text-to-speech' }] }
    const { engine, speak, server } = await open({ lists: { '/v1/models': models } })
    expect(engine.voices.map(({ name }) => name)).toEqual([
      'openai-voice-en-us-amy-low',
      'openai-tts-1',
      'openai-x',
    ])
    await speak()
    const { model, voice } = server.requests.at(-1)!.body as Speech
    expect([model, voice]).toEqual(['voice-en-us-amy-low', undefined])
  })

  it('are those of the option, even if the server lists nothing', async () => {
    const { engine, speak, server } = await open({}, { voices: ['alloy', 'nova'] })
    expect(engine.voices.map(({ name }) => name)).toEqual(['openai-alloy', 'openai-nova'])
    await speak('Hello', 'openai-nova')
    expect(server.requests.at(-1)!.body).toMatchObject({ voice: 'nova', model: 'tts-1' })
  })

  it.each<[string, StandIn, RegExp]>([
    ['lists nothing', {}, /lists no voices\. Name them with --speech-upstream-voice$/],
    [
      'lists only other models',
      { lists: { '/v1/models': { data: [{ id: 'llama-3' }] } } },
      /lists no voices/,
    ],
  ])('are missing, with the reason, if the server %s', async (_what, standIn, reason) => {
    const { engine, warnings } = await open(standIn)
    expect(engine.voices).toEqual([])
    expect(engine.problem).toMatch(reason)
    expect(warnings).toEqual([engine.problem])
  })

  it('are missing, with the reason, if the server cannot be reached', async () => {
    const { engine } = await openEngine(unreachableUrl)
    expect(engine.problem).toMatch(
      /^The speech server, http.*, cannot be reached \(ECONNREFUSED\)\. Check that it runs, and the address given by --speech-upstream$/,
    )
  })
})

describe('a server of the OpenAI API', () => {
  it('speaks a phrase, without Markdown, as PCM', async () => {
    const { speak, server, seconds } = await open(kokoro)
    await speak('**Good** morning')
    expect(server.requests.at(-1)).toMatchObject({
      url: '/v1/audio/speech',
      headers: { authorization: `Bearer ${apiKey}` },
      body: {
        model: 'tts-1',
        input: 'Good morning',
        voice: 'af_heart',
        response_format: 'pcm',
        stream: true,
      },
    })
    expect(seconds()).toBeCloseTo(1.5, 3)
  })

  it('is not called for a phrase without words', async () => {
    const { speak, server } = await open(kokoro)
    await speak('🎉')
    expect(server.requests.length).toBe(1)
  })

  it.each(['', '/v1'])('is found if its address ends with "%s"', async (path) => {
    const { engine, speak, seconds } = await open(kokoro, { path })
    expect(engine.voices.length).toBe(3)
    await speak()
    expect(seconds()).toBeCloseTo(1.5, 3)
  })

  it('delivers the audio while the server still speaks', async () => {
    let end = () => {}
    const { speak, sounds, seconds } = await open({
      ...kokoro,
      speak(response) {
        response.writeHead(200, { 'content-type': 'audio/pcm' }).write(tone.subarray(0, 48_000))
        end = () => response.end(tone.subarray(48_000))
      },
    })
    const speaking = speak()
    await expect.poll(() => sounds.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(seconds()).toBeLessThan(1.1)
    end()
    await speaking
    expect(seconds()).toBeCloseTo(1.5, 3)
  })

  it('is asked for a simpler format if it rejects the request, and then never again for the first', async () => {
    const formats: string[] = []
    const { speak, seconds } = await open({
      ...kokoro,
      speak(response, { response_format, stream }) {
        formats.push(stream ? `${response_format}, streamed` : response_format)
        if (response_format === 'wav') response.end(wavOf(tone))
        else response.writeHead(422).end('{"detail":"only wav, opus and mp3"}')
      },
    })
    await speak()
    await speak()
    expect(formats).toEqual(['pcm, streamed', 'pcm', 'wav', 'wav'])
    expect(seconds()).toBeCloseTo(3, 3)
  })

  it.each<[string, number, string, object, RegExp]>([
    [
      'a wrong key',
      401,
      '{"error":{"message":"bad key"}}',
      { code: 'INTERNAL', httpStatus: 502 },
      /rejects the key of this service \(401\)\. Check --speech-upstream-key/,
    ],
    [
      'a rejected voice',
      400,
      '{"detail":{"error":"validation_error","message":"Voice not found"}}',
      { code: 'INVALID_ARGUMENT', httpStatus: 400 },
      /failed with status 400: Voice not found/,
    ],
    [
      'an unknown model',
      404,
      '{"detail":"Model tts-1 is not installed"}',
      { code: 'NOT_FOUND' },
      /404: Model tts-1 is not installed/,
    ],
    ['its own failure', 500, '<h1>Oops</h1>', { code: 'INTERNAL' }, /status 500: Oops/],
    ['too many requests', 429, 'slow down', { code: 'RESOURCE_EXHAUSTED' }, /429: slow down/],
    ['a redirect', 302, '', { code: 'INTERNAL', httpStatus: 502 }, /redirects are not followed/],
  ])('reports %s', async (_what, status, body, response, message) => {
    const { speak } = await open({
      ...kokoro,
      speak: (httpResponse) => void httpResponse.writeHead(status).end(body),
    })
    await expect(speak()).rejects.toMatchObject({
      response,
      message: expect.stringMatching(message),
    })
  })

  it('reports a connection that breaks within the audio', async () => {
    const { speak } = await open({
      ...kokoro,
      speak(response) {
        response.writeHead(200, { 'content-type': 'audio/pcm' })
        response.write(tone, () => response.destroy())
      },
    })
    await expect(speak()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/closed the connection in the middle of the speech$/),
    })
  })

  it('is disconnected if it never stops speaking', async () => {
    const { speak, server } = await open({
      ...kokoro,
      speak(response) {
        const write = () => {
          while (response.write(tone));
        }
        response.on('drain', write)
        write()
      },
    })
    const disconnected = server.nextDisconnect()
    await expect(speak('Hi')).rejects.toThrow('sent more than 12 s of audio for a phrase')
    await disconnected
  })

  it('is disconnected if it never begins', async () => {
    const { speak } = await open({ ...kokoro, speak: () => {} }, { timeLimitMs: 100 })
    await expect(speak()).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.1 s'),
    })
  })

  it('is disconnected after an abort', async () => {
    const abort = new AbortController()
    const { speak, server } = await open({
      ...kokoro,
      speak: () => abort.abort(new Error('enough')),
    })
    const disconnected = server.nextDisconnect()
    await expect(speak('Hello', undefined, abort.signal)).rejects.toThrow('enough')
    await disconnected
  })

  it('rejects requests at once after it has stopped', async () => {
    const { engine, speak, server } = await open(kokoro)
    await server.close()
    await expect(speak()).rejects.toThrow('cannot be reached')
    await expect.poll(() => engine.problem, { timeout: 30_000 }).toContain('cannot be reached')
    await expect(speak()).rejects.toMatchObject({
      kind: 'unavailable',
      response: { code: 'UNAVAILABLE', httpStatus: 503 },
      message: expect.stringContaining('The service tries again by itself'),
    })
    expect(engine.voices.length).toBe(3)
  })
})
