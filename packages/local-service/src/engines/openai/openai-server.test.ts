import { writeWavHeader } from '@parlando/core/audio'
import {
  kokoro,
  openEngine,
  openEngineAt,
  tone,
} from '@parlando/test-support/local-service/upstream/openai-speech-server'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

function wavOf(bytes: Uint8Array): Buffer {
  const header = writeWavHeader({ sampleRateHertz: 24_000, dataBytes: bytes.length })
  return Buffer.concat([header, bytes])
}

describe('a server of the OpenAI API', () => {
  it('speaks a phrase, without Markdown, as PCM', async () => {
    const { speak, server, seconds } = await openEngine(kokoro)
    await speak('**Good** morning')
    expect(server.requests.at(-1)).toMatchObject({
      url: '/v1/audio/speech',
      headers: { authorization: `Bearer ${keys.upstream}` },
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
    const { speak, server } = await openEngine(kokoro)
    await speak('🎉')
    expect(server.requests.length).toBe(1)
  })

  it.each(['', '/v1'])('is found if its address ends with "%s"', async (path) => {
    const { engine, speak, seconds } = await openEngine(kokoro, { path })
    expect(engine.voices.length).toBe(3)
    await speak()
    expect(seconds()).toBeCloseTo(1.5, 3)
  })

  it('delivers the audio while the server still speaks', async () => {
    let end = () => {}
    const { speak, sounds, seconds } = await openEngine({
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
    const { speak, seconds } = await openEngine({
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

  it('speaks after phrases in parallel for which only the simplest format is accepted', async () => {
    const formats: string[] = []
    const { speak, seconds } = await openEngine({
      ...kokoro,
      speak(response, { response_format }) {
        formats.push(response_format)
        if (response_format === 'wav') response.end(wavOf(tone))
        else response.writeHead(422).end('{"detail":"only wav, opus and mp3"}')
      },
    })
    await Promise.all([speak(), speak()])
    formats.length = 0
    await speak()
    expect(formats).toEqual(['wav'])
    expect(seconds()).toBeCloseTo(4.5, 3)
  })

  it('reports an unknown voice, although a phrase in parallel finds the address meanwhile', async () => {
    let arriveAtLast = () => {}
    const atLast = new Promise<void>((resolve) => (arriveAtLast = resolve))
    let endSpeaking = () => {}
    const spoken = new Promise<void>((resolve) => (endSpeaking = resolve))
    const { baseUrl } = await startTestServer(async (response, { method, url }, bytes) => {
      const isKnown =
        method === 'POST' && JSON.parse(Buffer.from(bytes).toString()).voice === 'known'
      if (method === 'POST' && url === '/audio/speech') {
        arriveAtLast()
        await spoken
      }
      if (!isKnown) return void response.writeHead(404).end('{"detail":"Voice not found"}')
      await atLast
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone)
    })
    const { speak } = await openEngineAt(baseUrl, { voices: ['known', 'unknown'] })
    const unknown = expect(speak('Hello', 'openai-unknown')).rejects.toMatchObject({
      response: { code: 'NOT_FOUND' },
      message: expect.stringContaining('Voice not found'),
    })
    await speak('Hello', 'openai-known')
    endSpeaking()
    await unknown
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
    const { speak } = await openEngine({
      ...kokoro,
      speak: (httpResponse) => void httpResponse.writeHead(status).end(body),
    })
    await expect(speak()).rejects.toMatchObject({
      response,
      message: expect.stringMatching(message),
    })
  })

  it('reports a connection that breaks within the audio', async () => {
    const { speak } = await openEngine({
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
    const { speak, server } = await openEngine({
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
    const { speak } = await openEngine({ ...kokoro, speak: () => {} }, { timeLimitMs: 100 })
    await expect(speak()).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.1 s'),
    })
  })

  it('is disconnected after an abort', async () => {
    const abort = new AbortController()
    const { speak, server } = await openEngine({
      ...kokoro,
      speak: () => abort.abort(new Error('enough')),
    })
    const disconnected = server.nextDisconnect()
    await expect(speak('Hello', undefined, abort.signal)).rejects.toThrow('enough')
    await disconnected
  })

  it('rejects requests at once after it has stopped', async () => {
    const { engine, speak, server } = await openEngine(kokoro)
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
