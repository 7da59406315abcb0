import {
  json,
  type Reply,
  recognise,
  startUpstream,
} from '@parlando/test-support/local-service/upstream/upstream-recogniser'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUpstreamRecogniser } from './openai-recogniser.ts'

describe('the upstream recogniser', () => {
  it('sends an utterance as a WAV file with the model, the language and the expected words', async () => {
    const { recogniser, server, uploads } = await startUpstream(
      () => json({ text: ' Turn it off.\n' }),
      {
        models: [
          'llama-3.2',
          'whisper-large-v3',
          'gpt-4o-transcribe',
          'kokoro-tts',
          'base.en-whisper',
        ],
        apiKey: keys.upstream,
      },
    )
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

  it('lets the server detect the language, and asks for what names it', async () => {
    const { recogniser, uploads } = await startUpstream(() =>
      json({ text: 'Guten Tag', language: 'german', segments: [] }),
    )
    const utterance = await recognise(recogniser, { language: 'auto' })
    expect(utterance).toEqual({ text: 'Guten Tag', language: 'de' })
    const { fields } = uploads[0]!
    expect(fields).not.toHaveProperty('language')
    expect(fields).toMatchObject({ response_format: 'verbose_json' })
    expect(fields).not.toHaveProperty('timestamp_granularities[]')
  })

  it('reads the words of the OpenAI API', async () => {
    const { recogniser, uploads } = await startUpstream(() =>
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
    const { recogniser, uploads, server } = await startUpstream(
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
    const { server } = await startUpstream(() => json({ text: '' }))
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
      const { recogniser, uploads } = await startUpstream(({ response_format }) =>
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
    const { recogniser } = await startUpstream(() => reply)
    expect(await recognise(recogniser)).toEqual({ text })
  })
})
