import {
  json,
  type Reply,
  recognise,
  second,
  startUpstream,
} from '@parlando/test-support/local-service/upstream/upstream-recogniser'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUpstreamRecogniser } from './openai-recogniser.ts'

const { signal } = new AbortController()

describe('the upstream recogniser', () => {
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
      const { recogniser } = await startUpstream(() => replies.shift()!, { apiKey: keys.upstream })
      // Without a language, the recogniser would ask for less after 400.
      const request = { language: 'en' }
      await expect(recognise(recogniser, request)).rejects.toMatchObject(expected)
      expect(await recognise(recogniser, request)).toEqual({ text: 'Hello' })
    },
  )

  it.each([429, 502, 503])(
    'finds the path of a server whose proxy responds with %i while the server starts',
    async (status) => {
      let isStarting = true
      const { baseUrl } = await startTestServer((response, { url }) => {
        if (isStarting) response.writeHead(status).end('not ready')
        else if (url === '/v1/inference') response.end('{"text":"Hello"}')
        else response.writeHead(404).end()
      })
      const recogniser = await createUpstreamRecogniser({ baseUrl: `${baseUrl}/v1`, model: 'any' })
      onTestFinished(() => recogniser.close())
      await expect(recognise(recogniser)).rejects.toMatchObject({ kind: 'unavailable' })
      isStarting = false
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
    const { recogniser } = await startUpstream(() => json({ text: '' }))
    const { modelId } = recogniser.models[0]!
    const { write } = await recogniser.open({ modelId, withWords: false, signal })
    for (let seconds = 0; seconds < 60; seconds++) await write(second)
    await expect(write(second)).rejects.toMatchObject({ kind: 'input' })
  })
})
