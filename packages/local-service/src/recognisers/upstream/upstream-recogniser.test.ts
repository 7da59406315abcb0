import { tone } from '@parlando/test-support/audio/tone'
import { keys } from '@parlando/test-support/keys'
import { startTestServer, type TestServer } from '@parlando/test-support/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Recogniser, RecognitionRequest } from '../recogniser.ts'
import { createUpstreamRecogniser, type UpstreamRecogniserOptions } from './upstream-recogniser.ts'

const { signal } = new AbortController()
const second = new Int16Array(
  new Uint8Array(tone({ seconds: 1, hertz: 300, sampleRateHertz: 16_000 })).buffer,
)

/** What a server responds to an upload. */
interface Reply {
  status?: number
  type?: string
  body: string
  headers?: Record<string, string>
}

const json = (value: unknown, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

/** The fields of a multipart body, without the file. */
function fieldsOf(body: string): Record<string, string> {
  const fields = body.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}

interface StandIn {
  server: TestServer
  recogniser: Recogniser
  uploads: { url: string; fields: Record<string, string>; body: string }[]
}

/** A recogniser and the server behind it, which has one path and replies with `reply`. */
async function start(
  reply: (fields: Record<string, string>) => Reply,
  {
    path = '/v1/audio/transcriptions',
    models,
    ...options
  }: Partial<UpstreamRecogniserOptions> & { path?: string; models?: readonly string[] } = {},
): Promise<StandIn> {
  const uploads: StandIn['uploads'] = []
  const server = await startTestServer((response, request, bytes) => {
    const isList = request.url === '/v1/models' && models
    const body = bytes.toString()
    const fields = fieldsOf(body)
    if (request.url === path) uploads.push({ url: request.url, fields, body })
    const found = request.url === path ? reply(fields) : json({ error: 'no such path' }, 404)
    const sent = isList ? json({ data: models.map((id) => ({ id })) }) : found
    response.writeHead(sent.status ?? 200, { 'content-type': sent.type ?? '', ...sent.headers })
    response.end(sent.body)
  })
  const recogniser = await createUpstreamRecogniser({ baseUrl: `${server.baseUrl}/v1`, ...options })
  onTestFinished(() => recogniser.close())
  return { server, recogniser, uploads }
}

async function recognise(recogniser: Recogniser, request: Partial<RecognitionRequest> = {}) {
  const modelId = recogniser.models[0]!.modelId
  const recognition = await recogniser.open({ modelId, withWords: false, signal, ...request })
  await recognition.write(second)
  return recognition.end()
}

describe('the upstream recogniser', () => {
  it('sends an utterance as a WAV file with the model, the language and the expected words', async () => {
    const { recogniser, server, uploads } = await start(() => json({ text: ' Turn it off.\n' }), {
      models: [
        'llama-3.2',
        'whisper-large-v3',
        'gpt-4o-transcribe',
        'kokoro-tts',
        'base.en-whisper',
      ],
      apiKey: keys.upstream,
    })
    const names = recogniser.models.map(({ modelId }) => modelId)
    expect(names).toEqual([
      'upstream/whisper-large-v3',
      'upstream/gpt-4o-transcribe',
      'upstream/base.en-whisper',
    ])
    const request = { language: 'en-US', prompts: ['Parlando', 'Clara'] }
    expect(await recognise(recogniser, request)).toEqual({ text: 'Turn it off.' })
    expect(uploads[0]!.fields).toEqual({
      model: 'whisper-large-v3',
      response_format: 'json',
      language: 'en',
      prompt: 'Parlando, Clara',
    })
    expect(uploads[0]!.body).toContain('name="file"; filename="speech.wav"')
    expect(uploads[0]!.body).toContain('RIFF')
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${keys.upstream}`,
      `Bearer ${keys.upstream}`,
    ])
  })

  it('lets the server detect the language', async () => {
    const { recogniser, uploads } = await start(() => json({ text: 'Guten Tag' }))
    await recognise(recogniser, { language: 'auto' })
    expect(uploads[0]!.fields).not.toHaveProperty('language')
  })

  it('reads the words of the OpenAI API', async () => {
    const { recogniser, uploads } = await start(() =>
      json({
        task: 'transcribe',
        language: 'english',
        duration: 1.2,
        text: 'Turn it off.',
        words: [
          { word: 'Turn', start: 0.1, end: 0.4 },
          { word: 'it', start: 0.4, end: 0.5 },
          { word: 'off', start: 0.5, end: 0.9 },
        ],
      }),
    )
    const { text, words } = await recognise(recogniser, { withWords: true })
    expect(text).toBe('Turn it off.')
    expect(words).toMatchObject([
      { text: 'Turn', startSeconds: 0.1, endSeconds: 0.4 },
      { text: 'it' },
      { text: 'off', endSeconds: 0.9 },
    ])
    const { fields } = uploads[0]!
    expect(fields).toMatchObject({
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'word',
    })
  })

  it('finds the path of whisper.cpp, and joins its tokens to words', async () => {
    const token = (word: string, start: number) => ({
      ...{ word, start, end: start + 0.25, t_dtw: -1, probability: 0.9 },
    })
    const { recogniser, uploads, server } = await start(
      () =>
        json({
          text: ' Unplug it.\n',
          segments: [
            { id: 0, text: ' Unplug', words: [token(' Un', 0), token('plug', 0.25)] },
            { id: 1, text: ' it.', words: [token(' it', 0.5), token('.', 0.75)] },
          ],
        }),
      { path: '/v1/inference' },
    )
    expect(recogniser.models).toMatchObject([{ modelId: 'upstream/default', langCodes: [] }])
    const { text, words } = await recognise(recogniser, { withWords: true })
    expect(text).toBe('Unplug it.')
    expect(words).toEqual([
      { text: 'Unplug', startSeconds: 0, endSeconds: 0.5, confidence: 0.9 },
      { text: 'it.', startSeconds: 0.5, endSeconds: 1, confidence: 0.9 },
    ])
    const requests = server.requests.length
    await recognise(recogniser)
    expect(server.requests).toHaveLength(requests + 1)
    expect(uploads[1]!.fields).toMatchObject({ model: 'whisper-1' })
  })

  it('sends nothing but the given address and model', async () => {
    const { server } = await start(() => json({ text: '' }))
    const given = await createUpstreamRecogniser({
      baseUrl: `${server.baseUrl}/v1/audio/transcriptions`,
      model: 'my-ears',
    })
    onTestFinished(() => given.close())
    expect(given.models).toMatchObject([{ modelId: 'upstream/my-ears', displayName: 'my-ears' }])
    const before = server.requests.length
    await recognise(given)
    expect(server.requests.slice(before).map(({ url }) => url)).toEqual([
      '/v1/audio/transcriptions',
    ])
  })

  it.each([400, 422])(
    'requests plain JSON if the server rejects the request for words with %i',
    async (status) => {
      const { recogniser, uploads } = await start(({ response_format }) =>
        response_format === 'json'
          ? json({ text: 'Hello' })
          : json({ error: { message: 'verbose_json is not compatible with this model' } }, status),
      )
      for (let count = 0; count < 2; count++) {
        expect(await recognise(recogniser, { withWords: true })).toEqual({ text: 'Hello' })
      }
      const formats = uploads.map(({ fields }) => fields['response_format'])
      expect(formats).toEqual(['verbose_json', 'json', 'json'])
    },
  )

  it.each<[string, Reply, string]>([
    ['plain text', { type: 'text/plain', body: 'Hello there\n' }, 'Hello there'],
    ['JSON text', { type: 'application/json', body: '"Hello there"' }, 'Hello there'],
    ['text with an unknown type', { body: 'Hello there' }, 'Hello there'],
    [
      'events whose last text is empty',
      {
        type: 'text/event-stream',
        body: [
          'data: {"type":"transcript.text.delta","delta":"Hello"}',
          'data: {"type":"transcript.text.delta","delta":" there"}',
          'data: {"type":"transcript.text.done","text":""}',
          'data: [DONE]',
          '',
        ].join('\n\n'),
      },
      'Hello there',
    ],
    [
      'events without deltas',
      {
        type: 'text/event-stream; charset=utf-8',
        body: 'data: {"type":"transcript.text.done","text":"Hello there"}\r\n\r\n',
      },
      'Hello there',
    ],
    ['a tag for silence', json({ text: ' [BLANK_AUDIO]\n' }), ''],
    ['a loop', json({ text: 'Thank you. Thank you. Thank you. Thank you.' }), 'Thank you.'],
  ])('accepts %s', async (_, reply, text) => {
    const { recogniser } = await start(() => reply)
    expect(await recognise(recogniser)).toEqual({ text })
  })

  it.each<[string, Reply, object]>([
    [
      'a web page',
      { type: 'text/html', body: '<html>Log in</html>' },
      { message: expect.stringMatching(/not a transcript/) },
    ],
    [
      'incomplete JSON',
      { body: '{"text":"Turn' },
      { message: expect.stringMatching(/not a transcript/) },
    ],
    [
      'an unknown object',
      json({ result: 'Hello' }),
      { message: expect.stringMatching(/not a transcript/) },
    ],
    [
      'an error with status 200',
      json({ error: 'failed to read WAV file' }),
      {
        kind: 'unavailable',
        message: expect.stringMatching(/reports an error: failed to read WAV file/),
      },
    ],
    [
      'a wrong key',
      json({ error: { message: keys.upstream } }, 401),
      {
        message: expect.stringMatching(
          /rejects the key of this service \(401\). Check --transcription-upstream-key/,
        ),
      },
    ],
    [
      'an unknown model',
      json({ detail: 'Model my-ears is not installed' }, 404),
      { kind: 'input', response: { code: 'NOT_FOUND' } },
    ],
    [
      'too many requests',
      { ...json({ error: { message: 'slow down' } }, 429), headers: { 'retry-after': '7' } },
      { kind: 'unavailable', response: { retryAfterSeconds: 7 } },
    ],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'http://example.org' } },
      { message: expect.stringMatching(/unexpected status 302/) },
    ],
    [
      'a failure',
      json({ error: { message: 'out of memory' } }, 500),
      {
        kind: 'unavailable',
        message: expect.stringMatching(/failed with status 500: out of memory/),
      },
    ],
    [
      'an error that repeats the key',
      json({ error: { message: `Bad ${keys.upstream}` } }, 400),
      { kind: 'input', message: expect.not.stringContaining(keys.upstream) },
    ],
  ])(
    'rejects %s with an EngineError, and recognises the next utterance',
    async (_, reply, expected) => {
      const replies = [reply, json({ text: 'Hello' })]
      // An unknown model gets 404 at each of the paths.
      const { recogniser } = await start(() => replies.shift()!, { apiKey: keys.upstream })
      await expect(recognise(recogniser)).rejects.toMatchObject(expected)
      expect(await recognise(recogniser)).toEqual({ text: 'Hello' })
    },
  )

  it('names the address and the cause if the server cannot be reached', async () => {
    const recogniser = await createUpstreamRecogniser({ baseUrl: 'http://127.0.0.1:9/v1' })
    onTestFinished(() => recogniser.close())
    await expect(recognise(recogniser)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/http:\/\/127.0.0.1:9\/v1, cannot be reached \(.+\)/),
    })
  })

  it('rejects an utterance that takes too long', async () => {
    const server = await startTestServer(() => {})
    const recogniser = await createUpstreamRecogniser({
      ...{ baseUrl: server.baseUrl, model: 'slow', timeLimitMs: 100 },
    })
    onTestFinished(() => recogniser.close())
    await expect(recognise(recogniser)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.1 s'),
    })
  })

  it('ends the request after an abort, and when it is closed', async () => {
    const server = await startTestServer(() => {})
    const recogniser = await createUpstreamRecogniser({ baseUrl: server.baseUrl, model: 'slow' })
    const abort = new AbortController()
    const reason = new Error('the caller disconnected')
    const aborted = recognise(recogniser, { signal: abort.signal })
    setTimeout(() => abort.abort(reason), 20)
    await expect(aborted).rejects.toBe(reason)
    const running = recognise(recogniser)
    setTimeout(() => void recogniser.close(), 20)
    await expect(running).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('rejects an utterance that is too long', async () => {
    const { recogniser } = await start(() => json({ text: '' }))
    const { modelId } = recogniser.models[0]!
    const { write } = await recogniser.open({ modelId, withWords: false, signal })
    for (let seconds = 0; seconds < 60; seconds++) await write(second)
    await expect(write(second)).rejects.toMatchObject({ kind: 'input' })
  })
})
