import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { writeWavHeader } from '@parlando/core/audio'
import { keys } from '@parlando/test-support/keys'
import { audioLine, startTestServer } from '@parlando/test-support/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PhraseRequest, Sound } from '../engine.ts'
import { createUpstreamEngine, type UpstreamEngineOptions } from './upstream-engine.ts'

const apiKey = keys.upstream
const nova = { voiceId: 'Nova', displayName: 'Nova', langCode: 'DE_DE' }
const tone = Buffer.from(
  Int16Array.from({ length: 4800 }, (_, at) => (at % 2 ? 9000 : -9000)).buffer,
)

const otherRate = Buffer.concat([writeWavHeader({ sampleRateHertz: 8000 }), tone])

type Respond = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>

function* endless(piece: string): Generator<string, never> {
  for (;;) yield piece
}

/** Starts the engine with an upstream that has two voices. The library also has a voice with one of the ids. */
async function start(
  speak: Respond = (response) => void response.end(audioLine(tone)),
  options: Partial<UpstreamEngineOptions> = {},
) {
  const server = await startTestServer((response, request) => {
    if (request.method === 'POST') return speak(response, request)
    response.end(JSON.stringify({ voices: [nova, { voiceId: 'Clara', displayName: 'Other' }] }))
  })
  const warnings: string[] = []
  const engine = await createUpstreamEngine({
    baseUrl: server.baseUrl,
    apiKey,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => engine.close())
  const sounds: Sound[] = []
  const phrase = (more: Partial<PhraseRequest> = {}) =>
    engine.speakPhrase({
      ...{ voice: 'Nova', text: 'Guten Tag.', modelId: 'svc-tts-2-flash', withWords: false },
      signal: new AbortController().signal,
      onSound: (sound) => sounds.push(sound),
      ...more,
    })
  return { server, engine, warnings, sounds, phrase }
}

describe('the upstream engine', () => {
  it('offers the voices of the other service unchanged', async () => {
    const { engine, server } = await start()
    expect(engine.voices).toMatchObject([
      { name: 'Nova', langCode: 'DE_DE', voice: nova },
      { name: 'Clara', langCode: 'AUTO' },
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${apiKey}`)
  })

  it('sends the text, the model and the upstream key', async () => {
    const { server, phrase, sounds } = await start()
    await phrase()
    expect(server.requests[1]).toMatchObject({
      url: '/tts/v1/voice:stream',
      headers: { authorization: `Basic ${apiKey}` },
    })
    expect(server.requests[1]?.body).toEqual({
      text: 'Guten Tag.',
      voiceId: 'Nova',
      modelId: 'svc-tts-2-flash',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
    })
    expect(sounds.length).toBe(1)
    expect(sounds[0]?.samples.length).toBe(4800)
    expect(sounds[0]?.samples[1]).toBeCloseTo(9000 / 32768, 6)
  })

  it('delivers each chunk before the next one arrives, with its words if requested', async () => {
    let write = () => {}
    const timestampInfo = {
      wordAlignment: {
        words: ['Guten', ' ', 'Tag', '.'],
        wordStartTimeSeconds: [0, 0.1, 0.1, 0.2],
        wordEndTimeSeconds: [0.1, 0.1, 0.2, 0.2],
      },
    }
    const { server, phrase } = await start((response) => {
      const lines = [audioLine(tone, { timestampInfo }), audioLine(tone)]
      write = () => {
        const line = lines.shift()
        if (line) response.write(line)
        else response.end()
      }
      write()
    })
    const received: (readonly unknown[] | undefined)[] = []
    await phrase({
      withWords: true,
      onSound({ words }) {
        received.push(words)
        write()
      },
    })
    expect(received).toEqual([
      [
        { text: 'Guten', startSeconds: 0, endSeconds: 0.1 },
        { text: 'Tag', startSeconds: 0.1, endSeconds: 0.2 },
      ],
      [],
    ])
    expect(server.requests[1]?.body).toMatchObject({ timestampType: 'WORD' })
  })

  it.each([
    [
      'the key of this service is rejected',
      401,
      'unavailable',
      'INTERNAL',
      502,
      /rejects the key of this service.*upstream-key/,
    ],
    [
      'the key of this service lacks permission',
      403,
      'unavailable',
      'INTERNAL',
      502,
      /rejects the key/,
    ],
    [
      'the caller requests an unknown voice',
      404,
      'input',
      'NOT_FOUND',
      404,
      /upstream service.*no such voice/,
    ],
    ['too many requests', 429, 'unavailable', 'RESOURCE_EXHAUSTED', 429, /upstream service/],
    ['the other service fails', 503, 'unavailable', 'UNAVAILABLE', 503, /upstream service/],
  ])('reports who caused an error: %s', async (_what, status, kind, code, httpStatus, message) => {
    const { phrase } = await start((response) => {
      response.writeHead(status).end('{"message":"no such voice"}')
    })
    await expect(phrase()).rejects.toMatchObject({
      kind,
      response: { code, httpStatus },
      message: expect.stringMatching(message),
    })
  })

  it.each<[string, string, Respond]>([
    [
      'disconnects',
      'UNAVAILABLE',
      (response) => void response.write(audioLine(tone), () => response.destroy()),
    ],
    [
      'ends inside a line',
      'INTERNAL',
      (response) => void response.end(audioLine(tone) + audioLine(tone).slice(0, 100)),
    ],
    [
      'sends an endless error body',
      'INTERNAL',
      (response) => void Readable.from(endless('x'.repeat(10_000))).pipe(response.writeHead(500)),
    ],
    [
      'sends an endless line',
      'INTERNAL',
      (response) => void Readable.from(endless('x'.repeat(1_000_000))).pipe(response),
    ],
    ['sends no audio', 'INTERNAL', (response) => void response.end('{"result":{}}\n')],
    [
      'sends another sample rate',
      'INTERNAL',
      (response) => void response.end(audioLine(otherRate)),
    ],
  ])('fails with the address when the server %s', async (_what, code, speak) => {
    const { phrase, server } = await start(speak)
    await expect(phrase()).rejects.toMatchObject({
      kind: 'unavailable',
      response: { code },
      message: expect.stringContaining(server.baseUrl),
    })
  })

  it('disconnects from a server that never stops speaking', async () => {
    const second = audioLine(Buffer.alloc(48_000, 1))
    const { phrase, server, sounds } = await start(
      (response) => void Readable.from(endless(second)).pipe(response),
    )
    const disconnected = server.nextDisconnect()
    await expect(phrase({ text: 'Hi' })).rejects.toMatchObject({
      kind: 'unavailable',
      response: { code: 'INTERNAL', httpStatus: 502 },
      message: expect.stringContaining(`${server.baseUrl}: it sends more than 12 s of audio`),
    })
    await disconnected
    expect(sounds.length).toBe(12)
  }, 10_000)

  it.each<[string, number]>([
    ['only sends empty lines', 200],
    ['sends a slow error body', 500],
  ])(
    'disconnects from a server that endlessly %s',
    async (_what, status) => {
      const drip: Respond = (response) => {
        response.writeHead(status)
        const timer = setInterval(() => response.write('\n'), 20)
        response.once('close', () => clearInterval(timer))
      }
      const { phrase, server } = await start(drip, { timeLimitMs: 300 })
      const disconnected = server.nextDisconnect()
      await expect(phrase()).rejects.toMatchObject({
        kind: 'timeout',
        response: { code: 'DEADLINE_EXCEEDED', httpStatus: 504 },
        message: expect.stringContaining(`${server.baseUrl}: Speech failed: it took longer than`),
      })
      await disconnected
    },
    10_000,
  )

  it('disconnects from the server after an abort', async () => {
    const disconnect = new AbortController()
    const { phrase, server } = await start((response) => {
      response.write(audioLine(tone))
    })
    const disconnected = server.nextDisconnect()
    const speaking = phrase({
      signal: disconnect.signal,
      onSound: () => disconnect.abort(new Error('enough')),
    })
    await expect(speaking).rejects.toThrow('enough')
    await disconnected
  })

  it('starts with a warning and without voices when the server is unreachable, and lists them later', async () => {
    let isBack = false
    const server = await startTestServer((response) => {
      response.writeHead(isBack ? 200 : 500).end(JSON.stringify({ voices: [nova] }))
    })
    const warnings: string[] = []
    const { baseUrl } = server
    const warn = (message: string) => warnings.push(message)
    const engine = await createUpstreamEngine({ baseUrl, warn })
    onTestFinished(() => engine.close())
    expect(engine.voices).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(`The voices of ${baseUrl}.*500`)])
    isBack = true
    const later = performance.now() + 61_000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    onTestFinished(() => void vi.restoreAllMocks())
    await vi.waitFor(() => expect(engine.voices.length).toBe(1))
    expect(server.requests.length).toBe(2)
  })

  it('does not start if the key would be sent unencrypted', async () => {
    const options = { baseUrl: 'http://speech.example', apiKey, warn: () => {} }
    await expect(createUpstreamEngine(options)).rejects.toThrow(/in the clear/)
  })
})
