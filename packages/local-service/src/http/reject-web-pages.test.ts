import { keys } from '@parlando/test-support/keys'
import { describe, expect, it } from 'vitest'
import { type AppOptions, createApp } from '../api/app.ts'
import { createEncoderPool } from '../encoding/encoder-pool.ts'
import { createCatalogue } from '../voices/catalogue.ts'

const path = '/voices/v1/voices'

function ask(headers: Record<string, string>, options: Partial<AppOptions> = {}, method = 'GET') {
  const app = createApp({
    engines: new Map(),
    encoders: createEncoderPool(),
    catalogue: createCatalogue(),
    onFailure: () => {},
    ...options,
  })
  return app.request(path, { method, headers })
}

describe('a service without a key', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'answers to %s',
    async (host) => expect((await ask({ host })).status).toBe(200),
  )

  it.each(['rebound.example', 'rebound.example:8080', '192.168.1.2', 'localhost.example', '', '['])(
    'does not answer to %j, which a web page could have made point here',
    async (host) => {
      const response = await ask({ host })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 7, message: /set a key/ })
    },
  )

  it.each(['https://page.example', 'http://localhost:3000', 'null'])(
    'does not answer to a page of %s',
    async (origin) => {
      const response = await ask({ host: 'localhost:8080', origin })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
    },
  )

  it('answers to a page of its own', async () => {
    const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' }
    expect((await ask(headers)).status).toBe(200)
  })

  it('answers to a page that is allowed, and tells the browser so', async () => {
    const origin = 'https://page.example'
    const response = await ask({ origin }, { allowOrigins: ['https://other.example', origin] })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  it('answers to every page when all are allowed', async () => {
    const response = await ask({ origin: 'https://page.example' }, { allowOrigins: ['*'] })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('a service with a key', () => {
  const authorization = `Basic ${keys.service}`

  it('answers to any name, since a page does not know the key', async () => {
    const response = await ask({ host: 'speech.example', authorization }, { apiKey: keys.service })
    expect(response.status).toBe(200)
  })

  it("answers an allowed page's question whether it may ask, which carries no key", async () => {
    const origin = 'https://page.example'
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    }
    const options = { apiKey: keys.service, allowOrigins: [origin] }
    const response = await ask(headers, options, 'OPTIONS')
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await ask({ origin }, options)).status).toBe(401)
  })
})
