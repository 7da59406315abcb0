import { type AddressInfo, createServer } from 'node:net'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { type Client, createClient } from '../client.ts'
import { ConnectionError } from '../errors.ts'
import { withRetries } from './attempt.ts'
import { type ClientOptions, createCall, type RetryInfo, resolveOptions } from './client-options.ts'
import { readRetryAfter } from './response-errors.ts'
import { createTransport } from './transport.ts'

const request = {
  text: 'Hello',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM' },
} as const

type ScriptedResponse =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'cut'
  | string

/** A server that sends one response after the other and repeats the last one, and a client that records retries. */
async function startScriptedServer(responses: ScriptedResponse[], options: object = {}) {
  let count = 0
  const server = await startTestServer((response) => {
    const next = responses[Math.min(count++, responses.length - 1)]!
    if (next === 'cut') response.destroy()
    else if (typeof next === 'string') response.end(next)
    else response.writeHead(next.status, next.headers).end(next.body ?? '')
  })
  const retries: RetryInfo[] = []
  const onRetry = (info: RetryInfo) => void retries.push(info)
  const client = createClient({ baseUrl: server.baseUrl, onRetry, ...options })
  return { server, client, retries }
}

async function readSpeech(client: Client): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of client.synthesizeStream(request)) chunks.push(chunk.audio)
  return Buffer.concat(chunks)
}

const soon = { 'retry-after': '0' }
const noDelay = { maxRetryDelayMs: 1 }

describe('a call that fails', () => {
  it.each<[string, ScriptedResponse]>([
    ['the connection breaks', 'cut'],
    ['the service is busy (429)', { status: 429, headers: soon }],
    ['there is a conflict (409)', { status: 409, headers: soon }],
    ['the request timed out (408)', { status: 408, headers: soon }],
    ['the service fails (500)', { status: 500, headers: soon }],
    ['the service is unavailable (503)', { status: 503, headers: soon }],
  ])('is retried if %s', async (_what, failure) => {
    const { client, server, retries } = await startScriptedServer(
      [failure, '{"voices":[]}'],
      noDelay,
    )
    expect((await client.listVoices()).voices).toEqual([])
    expect(server.requests.length).toBe(2)
    expect(retries).toMatchObject([{ what: 'Voice list', attempt: 1 }])
  })

  it.each([400, 401, 403, 404, 501])('is not retried after %i', async (status) => {
    const { client, server } = await startScriptedServer([{ status, headers: soon }])
    await expect(client.listVoices()).rejects.toMatchObject({ status, retryable: false })
    expect(server.requests.length).toBe(1)
  })

  it('is retried up to maxRetries times, and then throws the last error', async () => {
    const { client, server } = await startScriptedServer([{ status: 503, headers: soon }], {
      maxRetries: 3,
    })
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(server.requests.length).toBe(4)
  })

  it('throws an error with the id of the last request', async () => {
    const { client, server } = await startScriptedServer([{ status: 503, headers: soon }], {
      maxRetries: 1,
    })
    const ids = () => server.requests.map(({ headers }) => headers['x-request-id'])
    await expect(client.listVoices()).rejects.toSatisfy((error) => error.requestId === ids()[1])
    expect(new Set(ids()).size).toBe(2)
  })

  it('waits twice as long before each retry, minus a random part', async () => {
    const retries: RetryInfo[] = []
    const onRetry = (info: RetryInfo) => void retries.push(info)
    const options = resolveOptions({ baseUrl: 'http://127.0.0.1:1', onRetry, maxRetries: 3 })
    const failing = async () => {
      throw new ConnectionError('cut', { code: 'CONNECTION_LOST', retryable: true })
    }
    // A closing client computes the delays but does not wait.
    const closing = AbortSignal.abort()
    const call = createCall(options, {}, 'Voice list')
    const made = withRetries(failing, { call, options, closing })
    await expect(made).rejects.toThrow('cut')
    const delays = retries.map(({ delayMs }) => delayMs)
    for (const [index, longestMs] of [500, 1000, 2000].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(longestMs / 2)
      expect(delays[index]).toBeLessThanOrEqual(longestMs)
    }
  })

  it('waits no longer than maxRetryDelayMs before any retry', async () => {
    const options = { maxRetries: 6, ...noDelay }
    const { client, server, retries } = await startScriptedServer(['cut'], options)
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'NOT_REACHABLE' })
    expect(server.requests.length).toBe(7)
    expect(retries.every(({ delayMs }) => delayMs <= 1)).toBe(true)
  })

  it('throws at once if Retry-After exceeds maxRetryDelayMs', async () => {
    const { client, server } = await startScriptedServer([
      { status: 429, headers: { 'retry-after': '3600' } },
    ])
    await expect(client.listVoices()).rejects.toMatchObject({ retryAfterMs: 3_600_000 })
    expect(server.requests.length).toBe(1)
  })

  it('fails without a request if the client is closed, and the error says so', async () => {
    const { client, server, retries } = await startScriptedServer(['{}'])
    await client.close()
    await expect(client.listVoices()).rejects.toMatchObject({
      code: 'NOT_REACHABLE',
      retryable: false,
      message: 'Voice list failed: the client is closed; make a new one',
    })
    expect([server.requests, retries]).toEqual([[], []])
  })

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['Voice list', (client) => client.listVoices()],
    ['Speech', readSpeech],
  ])(
    'ends if the client is closed during the wait for a retry: %s',
    async (what, begin) => {
      const { client, retries } = await startScriptedServer([
        { status: 503, headers: { 'retry-after': '20' } },
      ])
      const failing = begin(client).catch((error) => error)
      await vi.waitFor(() => expect(retries.length).toBe(1))
      await client.close()
      expect(await failing).toMatchObject({
        code: 'NOT_REACHABLE',
        retryable: false,
        message: `${what} failed: the client is closed; make a new one`,
      })
    },
    15_000,
  )

  it('can be aborted during the wait for a retry', async () => {
    const { client } = await startScriptedServer([
      { status: 503, headers: { 'retry-after': '20' } },
    ])
    const signal = AbortSignal.timeout(50)
    const listing = client.listVoices({}, { signal })
    await expect(listing).rejects.toSatisfy((error) => error === signal.reason)
  }, 15_000)
})

describe('a call that must not be repeated', () => {
  const request = {
    method: 'POST',
    path: '/x',
    body: { json: {} },
    retry: 'unless-received',
  } as const
  const send = (clientOptions: ClientOptions) => {
    const options = resolveOptions(clientOptions)
    return createTransport(options).sendForJson(
      z.unknown(),
      request,
      createCall(options, {}, 'Clone'),
    )
  }

  it('is not retried if the service may have received it', async () => {
    const { server } = await startScriptedServer(['cut'])
    await expect(send({ baseUrl: server.baseUrl })).rejects.toMatchObject({ code: 'NOT_REACHABLE' })
    expect(server.requests.length).toBe(1)
  })

  it('is retried if the connection failed with ECONNREFUSED', async () => {
    const retries: RetryInfo[] = []
    const onRetry = (info: RetryInfo) => void retries.push(info)
    const options = { baseUrl: unreachableUrl, maxRetries: 1, ...noDelay, onRetry }
    await expect(send(options)).rejects.toThrow('ECONNREFUSED')
    expect(retries.length).toBe(1)
  })

  it('is retried if the connection timed out', async () => {
    // This server never sends a byte, so the TLS handshake does not complete.
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const retries: RetryInfo[] = []
    const onRetry = (info: RetryInfo) => void retries.push(info)
    const baseUrl = `https://127.0.0.1:${port}`
    const options = { baseUrl, connectTimeoutMs: 50, maxRetries: 1, ...noDelay, onRetry }
    await expect(send(options)).rejects.toMatchObject({
      phase: 'connect',
    })
    expect(retries.length).toBe(1)
  })
})

describe('readRetryAfter', () => {
  it('reads seconds and dates, and ignores other values', () => {
    expect(readRetryAfter('3')).toBe(3000)
    const inTenSeconds = readRetryAfter(new Date(Date.now() + 10_000).toUTCString())
    expect(inTenSeconds).toBeGreaterThan(8000)
    expect(inTenSeconds).toBeLessThanOrEqual(10_000)
    expect(readRetryAfter(new Date(0).toUTCString())).toBe(0)
    expect(readRetryAfter('1.5')).toBe(1500)
    for (const header of [undefined, 'soon', '-1', '1,5', 'retry in 5']) {
      expect(readRetryAfter(header)).toBeUndefined()
    }
  })
})
