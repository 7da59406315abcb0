import type { ServerResponse } from 'node:http'
import { keys } from '@parlando/test-support/secrets/keys'
import { chatRequest } from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { ApiError } from '../errors.ts'

/** The error of a client whose service responds like this. */
async function failureAfter(
  handler: (response: ServerResponse) => void,
  options: object = {},
): Promise<ApiError> {
  const server = await startTestServer(handler)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  const error = await client.listVoices().catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw error
  return error
}

function errorResponse(body: string, status = 400) {
  return (response: ServerResponse) => void response.writeHead(status).end(body)
}

describe('the message of an error response', () => {
  it('keeps markup in text', async () => {
    const message = 'text: <break time="500ms"/> is longer than 300 ms'
    for (const body of [{ message }, { error: { message } }, { error: message }]) {
      const error = await failureAfter(errorResponse(JSON.stringify(body)))
      expect(error.message).toBe(`Voice list rejected (400 INVALID_ARGUMENT): ${message}`)
    }
    const { message: plain } = await failureAfter(errorResponse(message))
    expect(plain).toBe(`Voice list rejected (400 INVALID_ARGUMENT): ${message}`)
  })

  it.each([
    ['Wrong key', 'Wrong key. Check the key'],
    ['Wrong key.', 'Wrong key. Check the key'],
    ['Wrong key! ', 'Wrong key! Check the key'],
  ])('has one mark between the sentence of the service and the advice: %j', async (sent, said) => {
    const { message } = await failureAfter(errorResponse(JSON.stringify({ message: sent }), 401))
    expect(message).toBe(`Voice list rejected (401 UNAUTHENTICATED): ${said}`)
  })

  it('is quoted without the tags of an HTML page', async () => {
    const page = '\n<html><body><p>1 < 2 busy</p>\n<p>Bye</p></body></html>'
    const { message } = await failureAfter(errorResponse(page, 500))
    expect(message).toBe('Voice list rejected (500 INTERNAL): 1 < 2 busy Bye')
  })

  it.each([
    ['{"message":"No such voice"}', false],
    ['{"error":{"code":5}}', true],
    ['{"site":"Intranet"}', true],
    ['Intranet', true],
  ])('can be recognised as the page of another server: %s', async (body, quotesPage) => {
    expect(await failureAfter(errorResponse(body, 404))).toMatchObject({ quotesPage })
  })

  // With quadratic work, the test exceeds its time limit.
  it('says what to do if the address ends in /v1', async () => {
    const server = await startTestServer((response, { url }) => {
      if (url?.startsWith('/v1/v1/')) response.writeHead(404)
      response.end('{"message":"Not Found"}')
    })
    const client = createClient({ baseUrl: `${server.baseUrl}/v1/` })
    await expect(client.chat(chatRequest)).rejects.toThrow(
      `Chat rejected (404 NOT_FOUND): Not Found. Try the address without /v1: ${server.baseUrl}`,
    )
  })

  it('is quoted on one line without control characters', async () => {
    const body = JSON.stringify({ message: 'No\r\nsuch \u001b[31mvoice\u0000\u009b:\u202e here' })
    const { message } = await failureAfter(errorResponse(body, 404))
    expect(message).toContain(': No such [31mvoice : here')
  })

  it('takes linear time for a page of unclosed tags', async () => {
    const pages = Array.from({ length: 5 }, () =>
      failureAfter(errorResponse('<'.repeat(65_536), 500)),
    )
    for (const { message } of await Promise.all(pages)) expect(message).toContain(': <<<')
  }, 10_000)
})

function asNumbers(key: string): string {
  return key.replace(/[^a-z\d]/gi, (character) => {
    const number = character.charCodeAt(0).toString(16).toUpperCase()
    return `\\u${number.padStart(4, '0')}`
  })
}

describe('a key that an error response repeats', () => {
  it.each<[string, (key: string) => string]>([
    ['verbatim', (key) => key],
    ['escaped as JSON requires', (key) => JSON.stringify(key).slice(1, -1)],
    ['escaped as JSON allows', (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['with escapes for all but letters and digits', asNumbers],
    ['URL-encoded', encodeURIComponent],
  ])('is redacted: %s', async (_how, write) => {
    for (const apiKey of [keys.service, keys.upstream]) {
      const body = `{"why":"Bad key ${write(apiKey)}!"}`
      const { message } = await failureAfter(errorResponse(body, 401), { apiKey })
      expect(message).toContain('"Bad key ***!"')
    }
  })
})

describe('an error response with a bad body', () => {
  const json = '{"message":"No such voice"}'
  const endings: Record<string, (response: ServerResponse, status: number) => void> = {
    'breaks off': (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).write(json)
      setTimeout(() => response.destroy(), 20)
    },
    stalls: (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).write(json)
    },
    'is not compressed as its header says': (response, status) => {
      const head = { 'retry-after': '7', 'content-encoding': 'gzip' }
      response.writeHead(status, head).end(json)
    },
    'is longer than the limit': (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).end('x'.repeat(200_000))
    },
  }

  it.each(Object.keys(endings))('keeps its status: the body %s', async (ending) => {
    const options = { silenceTimeoutMs: 50 }
    expect(
      await failureAfter((response) => endings[ending]!(response, 404), options),
    ).toMatchObject({ status: 404, code: 'NOT_FOUND', retryable: false })
    expect(
      await failureAfter((response) => endings[ending]!(response, 503), options),
    ).toMatchObject({ code: 'UNAVAILABLE', retryable: true, retryAfterMs: 7000 })
  })

  it.each(['breaks off', 'stalls'])('is quoted up to the point where it %s', async (ending) => {
    const options = { silenceTimeoutMs: 50 }
    const handler = (response: ServerResponse) => endings[ending]!(response, 400)
    expect((await failureAfter(handler, options)).message).toContain(': No such voice')
  })

  it('ends at once on an abort or the time limit of the call', async () => {
    const server = await startTestServer((response) => endings['stalls']!(response, 400))
    const client = createClient({ baseUrl: server.baseUrl })
    const signal = AbortSignal.timeout(50)
    const listing = client.listVoices({}, { signal })
    await expect(listing).rejects.toSatisfy((reason) => reason === signal.reason)
    await expect(client.listVoices({}, { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
      phase: 'total',
    })
  })
})
