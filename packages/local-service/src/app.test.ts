import { describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { createCatalogue } from './voices/catalogue.ts'

const options = { engines: new Map(), catalogue: createCatalogue(), onFailure: () => {} }

it('tells when there is nothing at an address', async () => {
  const response = await createApp(options).request('/tts/v2/voice')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 5, message: /GET \/tts\/v2\/voice/ })
})

describe('a service with a key', () => {
  const get = (authorization?: string) => {
    const headers: Record<string, string> = authorization ? { authorization } : {}
    return createApp({ ...options, apiKey: 'a2V5' }).request('/voices/v1/voices', { headers })
  }

  it('lets the key in', async () => {
    expect((await get('Basic a2V5')).status).toBe(200)
  })

  it.each([undefined, 'Basic other', 'Bearer a2V5', 'a2V5'])('keeps %j out', async (header) => {
    const response = await get(header)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 16 })
  })
})
