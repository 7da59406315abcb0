import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { BusyError } from '../../errors/service-error.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { createApp } from './app.ts'

const options = {
  engines: new Map(),
  recognisers: new Map(),
  encoders: createEncoderPool(),
  voiceList: createVoiceList(),
  onFailure: () => {},
}

it('reports an unknown path', async () => {
  const response = await createApp(options).request('/tts/v2/voice')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 5, message: /GET \/tts\/v2\/voice/ })
})

it('says when to retry after an overload', async () => {
  const app = createApp(options)
  app.get('/busy', () => {
    throw new BusyError('Too much at a time', 7)
  })
  const response = await app.request('/busy')
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
})

it('does not report an error after the caller has disconnected', async () => {
  const failures: unknown[] = []
  const app = createApp({ ...options, onFailure: (error) => failures.push(error) })
  app.get('/long', ({ req }) => {
    req.raw.signal.throwIfAborted()
    throw new Error('broken')
  })
  expect((await app.request('/long', { signal: AbortSignal.abort() })).status).toBe(499)
  expect(failures).toEqual([])
  expect((await app.request('/long')).status).toBe(500)
  expect(failures).toEqual([new Error('broken')])
})

describe('a service with a key', () => {
  const get = (authorization?: string, path = '/voices/v1/voices') => {
    const headers: Record<string, string> = authorization ? { authorization } : {}
    return createApp({ ...options, apiKey: keys.service }).request(path, { headers })
  }

  it('accepts its key', async () => {
    expect((await get(`Basic ${keys.service}`)).status).toBe(200)
  })

  it.each([
    ['no key', undefined],
    ['another key', `Basic ${keys.wrong}`],
    ['the right key as Bearer', `Bearer ${keys.service}`],
    ['the right key without a scheme', keys.service],
  ])('rejects %s', async (_what, header) => {
    const response = await get(header)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 16 })
  })

  it('accepts Bearer below /v1/, and responds in the OpenAI format', async () => {
    const statusOf = async (header: string) => (await get(header, '/v1/nothing')).status
    expect([
      await statusOf(`Bearer ${keys.service}`),
      await statusOf(`Basic ${keys.service}`),
    ]).toEqual([404, 404])
    const response = await get(`Bearer ${keys.wrong}`, '/v1/nothing')
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      error: {
        message: 'The key is missing or wrong',
        type: 'authentication_error',
        param: null,
        code: 'unauthenticated',
      },
    })
  })
})

describe('a path', () => {
  it.each([
    ['PUT', '/tts/v1/voice', 'POST'],
    ['GET', '/tts/v1/voice:stream', 'POST'],
    ['HEAD', '/voices/v1/voices:clone', 'POST'],
    ['POST', '/voices/v1/voices', 'GET, HEAD'],
    ['POST', '/voices/v1/voices/Clara', 'GET, HEAD, PATCH, DELETE'],
    ['PUT', '/voices/v1/voices/Clara:publish', 'GET, HEAD, PATCH, DELETE, POST'],
    ['PUT', '/voices/v1/workspaces/mine/voices/Clara', 'GET, HEAD, PATCH, DELETE'],
    ['OPTIONS', '/v1/audio/speech', 'POST'],
    ['POST', '/tts/v1/voice:streamBidirectional', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('rejects another method with 405: %s %s', async (method, path, allow) => {
    const response = await createApp(options).request(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    const text = await response.text()
    if (method === 'HEAD') return expect(text).toBe('')
    const problem = JSON.parse(text)
    const expected = `${path} does not support ${method}; use ${allow.replaceAll(', ', ' or ')}`
    expect((problem.error ?? problem).message).toBe(expected)
  })

  it('without any method is unknown', async () => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const response = await createApp(options).request('/tts/v1/voices/Clara', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([404, null])
    }
  })

  it.each(['/tts/v1/voice:stream', '/tts/v1/voice%3Astream', '/tts/v1/voice%3astream'])(
    'may have an encoded colon: %s',
    async (path) => {
      const response = await createApp(options).request(path, { method: 'POST', body: '{}' })
      expect(response.status).toBe(400)
    },
  )
})

it.each(['/tts/v1/voice', '/v1/chat/completions', '/voices/v1/voices:clone'])(
  'rejects a body that is not UTF-8: %s',
  async (path) => {
    const body = Buffer.from('{"text":"Grüße","model":"auto"}', 'latin1')
    const response = await createApp(options).request(path, { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch('The body is not UTF-8')
  },
)
