import {
  upstreamOf,
  upstreamSending,
} from '@parlando/test-support/local-service/upstream/chat-upstream'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const key = keys.upstream

/** Undoes the escapes of JSON and URLs, also where they are nested. */
function decoded(text: string): string {
  return text
    .replace(/\\+u00([\da-f]{2})|%([\da-f]{2})/gi, (_, json?: string, url = '') =>
      String.fromCharCode(Number.parseInt(json ?? url, 16)),
    )
    .replace(/\\+/g, '\\')
    .replace(/\\(["/])/g, '$1')
}

describe('a chat upstream', () => {
  it('has its errors in the OpenAI format passed on unchanged, with the retry-after header', async () => {
    const error = { message: 'Too long', type: 'invalid_request_error', code: 'context_length' }
    const { forward } = await upstreamSending(429, JSON.stringify({ error, more: 1 }), {
      'retry-after': '7',
    })
    const response = await forward()
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await response.json()).toEqual({ error, more: 1 })
  })

  it.each([
    [402, 'resource_exhausted'],
    [408, 'deadline_exceeded'],
    [409, 'aborted'],
    [418, 'invalid_argument'],
    [507, 'internal'],
  ])('has its status %i mapped to the code of the protocol', async (status, code) => {
    const { forward } = await upstreamSending(status, 'no')
    expect(await (await forward()).json()).toMatchObject({ error: { code } })
  })

  it.each([
    ['a page', '<html><style>p { x }</style><h1>Bad  gateway</h1>', /status 500: Bad gateway$/],
    ['JSON of another form', '{"message":"out of memory"}', /status 500: out of memory$/],
    ['a text', '{"error":"no GPU"}', /status 500: no GPU$/],
    ['the key', `who is ${key}?`, /status 500: who is \*\*\*\?$/],
    ['nothing', '', /status 500$/],
    ['no end', 'x'.repeat(200_000), /status 500: x{300}$/],
  ])('has other errors converted to the OpenAI format: %s', async (_what, body, message) => {
    const { forward } = await upstreamSending(500, body)
    const response = await forward()
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(message), type: 'server_error', code: 'internal' },
    })
  })

  describe.each([keys.upstream, keys.service])('that repeats its key %s', (apiKey) => {
    const asNumbers = Array.from(apiKey, (character) => {
      const hex = character.charCodeAt(0).toString(16).toUpperCase()
      return `\\u00${hex.padStart(2, '0')}`
    }).join('')
    const inJson = JSON.stringify(apiKey).slice(1, -1)
    const spellings = [apiKey, inJson, inJson.replaceAll('/', '\\/'), asNumbers]
    const events = { 'content-type': 'text/event-stream' }
    const shapes: [string, number, (key: string) => string, Record<string, string>?][] = [
      ['a text', 500, (key) => `bad key ${key}`],
      ['a page', 500, () => `<p>bad key ${encodeURIComponent(apiKey)}</p>`],
      ['an error in the OpenAI format', 400, (key) => `{"error":{"message":"bad key ${key}"}}`],
      ['another field of an error', 400, (key) => `{"error":{"message":"x","${key}":"${key}"}}`],
      ['JSON of another form', 500, (key) => `{"details":["bad key ${key}"]}`],
      ['a response with an error', 200, (key) => `{"error":"bad key ${key}"}`],
      ['a completion', 200, (key) => `{"choices":[{"message":{"content":"${key}"}}]}`],
      ['an error event', 200, (key) => `data: {"error":{"message":"${key}"}}\n\n`, events],
      ['an event', 200, (key) => `data: {"choices":["${key}"]}\n\ndata: [DONE]\n\n`, events],
    ]

    it.each(shapes)('has it redacted in %s', async (_what, status, write, headers = {}) => {
      for (const spelling of spellings) {
        for (const pieceLength of [1, 7, 100_000]) {
          const bytes = Buffer.from(write(spelling))
          const { forward } = await upstreamOf(
            (response) => {
              response.writeHead(status, headers)
              for (let at = 0; at < bytes.length; at += pieceLength) {
                response.write(bytes.subarray(at, at + pieceLength))
              }
              response.end()
            },
            { apiKey },
          )
          const text = await (await forward()).text()
          expect(text).toContain('***')
          expect(decoded(text)).not.toContain(apiKey)
          for (const line of text.split('\n')) {
            if (/^(data: )?\{/.test(line)) JSON.parse(line.replace(/^data: /, ''))
          }
        }
      }
    })

    it('has it redacted in headers and names of models', async () => {
      const { forward, upstream } = await upstreamOf(
        (response, request) => {
          const isList = request.method === 'GET'
          response.writeHead(isList ? 200 : 429, { 'retry-after': apiKey })
          response.end(isList ? `{"data":[{"id":"${inJson}"},{"id":"a"}]}` : '{}')
        },
        { apiKey },
      )
      expect((await forward()).headers.get('retry-after')).toBe('***')
      expect(await upstream.listModels()).toEqual(['***', 'a'])
    })
  })

  it.each(['<', '<style'])(
    'does not block the service with an error that is full of %s',
    async (tag) => {
      const { forward } = await upstreamSending(500, tag.repeat(65_000 / tag.length))
      for (let count = 0; count < 10; count++) expect((await forward()).status).toBe(500)
    },
    10_000,
  )

  it('has a truncated error converted to the OpenAI format', async () => {
    const { forward } = await upstreamOf((response) => {
      response.writeHead(503).write('no GPU', () => response.destroy())
    })
    expect(await (await forward()).json()).toMatchObject({
      error: { message: expect.stringMatching(/failed with status 503/), code: 'unavailable' },
    })
  })

  it('has the received part of an endless error converted to the OpenAI format', async () => {
    const { server, forward } = await upstreamOf((response) => {
      response.writeHead(500).write('no GPU')
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    })
    const disconnected = server.nextDisconnect()
    expect(await (await forward()).json()).toMatchObject({
      error: { message: expect.stringMatching(/status 500: no GPU$/) },
    })
    await disconnected
  }, 10_000)

  it.each([
    [401, /rejects the key of this service \(401\).*--chat-upstream-key/],
    [403, /rejects the key of this service \(403\)/],
    [307, /redirects are not followed/],
    [700, /sent the unexpected status 700/],
  ])('causes status 502, not a client error, if it responds with %i', async (status, message) => {
    const elsewhere = await startTestServer((response) => void response.end('{}'))
    const { forward } = await upstreamSending(status, '{"error":{"message":"yours"}}', {
      location: elsewhere.baseUrl,
    })
    await expect(forward()).rejects.toMatchObject({
      name: 'Error',
      httpStatus: 502,
      message: expect.stringMatching(message),
    })
    expect(elsewhere.requests).toEqual([])
  })
})
