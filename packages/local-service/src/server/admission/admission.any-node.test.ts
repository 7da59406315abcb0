import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { type AppOptions, createApp } from '../../api/app/app.ts'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { createVoiceList } from '../../voices/voice-list.ts'

const path = '/voices/v1/voices'

function request(
  headers: Record<string, string>,
  options: Partial<AppOptions> = {},
  method = 'GET',
) {
  const app = createApp({
    engines: new Map(),
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList: createVoiceList(),
    onFailure: () => {},
    ...options,
  })
  return app.request(path, { method, headers })
}

describe('a service without a key', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'accepts a request for %s',
    async (host) => expect((await request({ host })).status).toBe(200),
  )

  it.each(['rebound.example', 'rebound.example:8080', '192.168.1.2', 'localhost.example', '', '['])(
    'rejects a request for %j, a name that a web page could resolve to this machine',
    async (host) => {
      const response = await request({ host })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 7, message: /set a key/ })
    },
  )

  it.each(['https://page.example', 'http://localhost:3000', 'null'])(
    'rejects a page of %s',
    async (origin) => {
      const response = await request({ host: 'localhost:8080', origin })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
    },
  )

  it.each(['cross-site', 'same-site'])(
    'rejects a %s request of a page without an origin, such as that of an image',
    async (site) => {
      const response = await request({ host: 'localhost:8080', 'sec-fetch-site': site })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 7, message: /crossorigin/ })
    },
  )

  it('accepts it if every origin is allowed', async () => {
    const headers = { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' }
    expect((await request(headers, { allowOrigins: ['*'] })).status).toBe(200)
  })

  it.each(['none', 'same-origin'])(
    'accepts a request that a person makes in the browser: Sec-Fetch-Site: %s',
    async (site) => {
      const headers = { host: 'localhost:8080', 'sec-fetch-site': site }
      expect((await request(headers)).status).toBe(200)
    },
  )

  it('accepts a page that it serves itself', async () => {
    const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' }
    expect((await request(headers)).status).toBe(200)
  })

  it('accepts a page of an allowed origin, with a CORS header for the browser', async () => {
    const origin = 'https://page.example'
    const headers = { origin, 'sec-fetch-site': 'cross-site' }
    const response = await request(headers, { allowOrigins: ['https://other.example', origin] })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  it('accepts every page when all origins are allowed', async () => {
    const response = await request({ origin: 'https://page.example' }, { allowOrigins: ['*'] })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('a service with a key', () => {
  const authorization = `Basic ${keys.service}`

  it('accepts any host name, because a page does not know the key', async () => {
    const response = await request(
      { host: 'speech.example', authorization },
      { apiKey: keys.service },
    )
    expect(response.status).toBe(200)
  })

  it('accepts the preflight request of an allowed page, which carries no key', async () => {
    const origin = 'https://page.example'
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    }
    const options = { apiKey: keys.service, allowOrigins: [origin] }
    const response = await request(headers, options, 'OPTIONS')
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await request({ origin }, options)).status).toBe(401)
  })
})
