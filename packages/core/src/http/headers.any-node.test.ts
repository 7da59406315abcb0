import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import type { DebugEvent } from './trace.ts'

const baseUrl = 'https://speech.example'

describe('headers', () => {
  it('are sent with each request, and those of the call override those of the client', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    const headers = { traceparent: 'of the client', 'X-Tenant': 'house' }
    const client = createClient({ baseUrl: server.baseUrl, apiKey: keys.service, headers })
    await client.listVoices()
    await client.listVoices({}, { headers: { Traceparent: 'of the call' } })
    expect(server.requests.map((request) => request.headers)).toMatchObject([
      { traceparent: 'of the client', 'x-tenant': 'house' },
      {
        traceparent: 'of the call',
        'x-tenant': 'house',
        authorization: `Basic ${keys.service}`,
        accept: 'application/json',
      },
    ])
  })

  it.each([
    'Authorization',
    'proxy-authorization',
    'HOST',
    'Content-Length',
    'content-type',
    'Transfer-Encoding',
    'Connection',
    'X-Request-Id',
  ])('are rejected if the client sets them itself: %s', async (name) => {
    const headers = { [name]: 'secret' }
    const message = `headers.${name}: the client sets this header itself`
    expect(() => createClient({ baseUrl, headers })).toThrow(message)
    expect(() => createClient({ baseUrl, headers })).not.toThrow('secret')
    const client = createClient({ baseUrl })
    await expect(client.listVoices({}, { headers })).rejects.toThrow(message)
  })

  it.each([
    ['a name with a space', { 'x tenant': 'secret' }, 'not a valid header name'],
    ['an empty name', { '': 'secret' }, 'not a valid header name'],
    ['a second line', { 'x-tenant': 'secret\r\nhost: elsewhere' }, 'one line of Latin-1 text'],
    ['a character beyond Latin-1', { 'x-tenant': 'secret €' }, 'one line of Latin-1 text'],
  ])('are rejected without their value: %s', (_what, headers, message) => {
    expect(() => createClient({ baseUrl, headers })).toThrow(message)
    expect(() => createClient({ baseUrl, headers })).not.toThrow('secret')
  })

  it('do not appear in errors or debug events, even if the service repeats them', async () => {
    const token = 'a-long-secret-token'
    const events: DebugEvent[] = []
    const server = await startTestServer((response, { headers }) => {
      response.writeHead(400).end(JSON.stringify({ message: `Bad token ${headers['x-token']}!` }))
    })
    const client = createClient({
      baseUrl: server.baseUrl,
      headers: { 'x-token': token },
      debug: (event) => void events.push(event),
    })
    const error = await client.listVoices().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: expect.stringContaining('Bad token ***!') })
    expect(inspect([error, events], { depth: 9, showHidden: true })).not.toContain(token)
  })
})
