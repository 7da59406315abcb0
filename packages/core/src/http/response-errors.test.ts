import type { ServerResponse } from 'node:http'
import { keys } from '@parlando/test-support/keys'
import { startTestServer } from '@parlando/test-support/test-server'
import { skipTimeLimits } from '@parlando/test-support/undici-timers'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { ApiError } from '../errors.ts'

/** How a client fails that is answered so. */
async function failureAfter(
  answer: (response: ServerResponse) => void,
  options: object = {},
): Promise<ApiError> {
  const server = await startTestServer(answer)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  const error = await skipTimeLimits(client.listVoices()).catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw error
  return error
}

function refuse(body: string, status = 400) {
  return (response: ServerResponse) => void response.writeHead(status).end(body)
}

describe('what a refusal says', () => {
  it('keeps the markup that it is about', async () => {
    const message = 'text: <break time="500ms"/> is longer than 300 ms'
    for (const body of [{ message }, { error: { message } }, { error: message }]) {
      const error = await failureAfter(refuse(JSON.stringify(body)))
      expect(error.message).toBe(`Voice list rejected (400 INVALID_ARGUMENT): ${message}`)
    }
    const { message: plain } = await failureAfter(refuse(message))
    expect(plain).toBe(`Voice list rejected (400 INVALID_ARGUMENT): ${message}`)
  })

  it('is told without the tags where it is a page', async () => {
    const page = '\n<html><body><p>1 < 2 busy</p>\n<p>Bye</p></body></html>'
    const { message } = await failureAfter(refuse(page, 500))
    expect(message).toBe('Voice list rejected (500 INTERNAL): 1 < 2 busy Bye')
  })

  // The limit ends it where the work grows with the square of the page.
  it('is soon told of a page that is nothing but the beginnings of tags', async () => {
    const pages = Array.from({ length: 5 }, () => failureAfter(refuse('<'.repeat(65_536), 500)))
    for (const { message } of await Promise.all(pages)) expect(message).toContain(': <<<')
  }, 10_000)
})

function asNumbers(key: string): string {
  return key.replace(/[^a-z\d]/gi, (character) => {
    const number = character.charCodeAt(0).toString(16).toUpperCase()
    return `\\u${number.padStart(4, '0')}`
  })
}

describe('a key that a refusal repeats', () => {
  it.each<[string, (key: string) => string]>([
    ['as it is', (key) => key],
    ['as JSON has to write it', (key) => JSON.stringify(key).slice(1, -1)],
    ['as JSON may write it', (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['with numbers for what is no letter', asNumbers],
    ['as in an address', encodeURIComponent],
  ])('is not told, %s', async (_how, write) => {
    for (const apiKey of [keys.service, keys.upstream]) {
      const body = `{"detail":"Bad key ${write(apiKey)}!"}`
      const { message } = await failureAfter(refuse(body, 401), { apiKey })
      expect(message).toContain('"Bad key ***!"')
    }
  })
})

describe('a refusal whose body cannot be read to its end', () => {
  const said = '{"message":"No such voice"}'
  const endings: Record<string, (response: ServerResponse, status: number) => void> = {
    'breaks off': (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).write(said)
      setTimeout(() => response.destroy(), 20)
    },
    'falls silent': (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).write(said)
    },
    'is not packed as its head says': (response, status) => {
      const head = { 'retry-after': '7', 'content-encoding': 'gzip' }
      response.writeHead(status, head).end(said)
    },
    'is longer than anybody reads': (response, status) => {
      response.writeHead(status, { 'retry-after': '7' }).end('x'.repeat(200_000))
    },
  }

  it.each(Object.keys(endings))('is still the refusal: it %s', async (ending) => {
    const options = { silenceTimeoutMs: 50 }
    expect(
      await failureAfter((response) => endings[ending]!(response, 404), options),
    ).toMatchObject({ status: 404, code: 'NOT_FOUND', retryable: false })
    expect(
      await failureAfter((response) => endings[ending]!(response, 503), options),
    ).toMatchObject({ code: 'UNAVAILABLE', retryable: true, retryAfterMs: 7000 })
  })

  it.each(['breaks off', 'falls silent'])('tells what was read before it %s', async (ending) => {
    const options = { silenceTimeoutMs: 50 }
    const answer = (response: ServerResponse) => endings[ending]!(response, 400)
    expect((await failureAfter(answer, options)).message).toContain(': No such voice')
  })

  it('ends at once by an abort and by the time of the call', async () => {
    const server = await startTestServer((response) => endings['falls silent']!(response, 400))
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
