import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/keys'
import { saveRecord } from '@parlando/test-support/records'
import { audioLine, startTestServer } from '@parlando/test-support/test-server'
import { unreachableUrl } from '@parlando/test-support/unreachable-url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'
import { ParlandoError } from '../errors.ts'
import type { DebugEvent } from './trace.ts'

const apiKey = keys.service

function failureOrReason(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

async function failureOf(promise: Promise<unknown>): Promise<ParlandoError> {
  const error = await promise.then(
    () => new Error('the promise did not reject'),
    (reason: unknown) => reason,
  )
  if (!ParlandoError.isInstance(error)) throw error
  saveRecord('errors', inspect(error, { depth: 9, showHidden: true }))
  return error
}

describe('a response with an error status', () => {
  it.each([
    [400, { code: 3, message: 'text missing' }, 'INVALID_ARGUMENT', false],
    [400, { code: 5, message: 'unknown voice' }, 'NOT_FOUND', false],
    [401, {}, 'UNAUTHENTICATED', false],
    [402, {}, 'RESOURCE_EXHAUSTED', false],
    [403, { error: { code: 7, message: 'read only' } }, 'PERMISSION_DENIED', false],
    [404, 'not here', 'NOT_FOUND', false],
    [404, { code: 14, message: 'away' }, 'UNAVAILABLE', true],
    [408, '', 'DEADLINE_EXCEEDED', true],
    [409, '', 'ABORTED', true],
    [409, { code: 6, message: 'there already' }, 'ALREADY_EXISTS', false],
    [409, { code: 10, message: 'changed meanwhile' }, 'ABORTED', true],
    [429, { message: 'slower' }, 'RESOURCE_EXHAUSTED', true],
    [500, '<html><b>Oops</b></html>', 'INTERNAL', true],
    [500, { code: 3, message: 'text missing' }, 'INVALID_ARGUMENT', false],
    [400, { code: 2, message: 'who knows' }, 'UNKNOWN', false],
    [501, { code: 12, message: 'no' }, 'UNIMPLEMENTED', false],
    [400, { code: 12, message: 'no' }, 'UNIMPLEMENTED', false],
    [503, '', 'UNAVAILABLE', true],
  ])('becomes an ApiError: %i %j', async (status, body, code, retryable) => {
    const server = await startTestServer((response) => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ name: 'ApiError', status, code, retryable })
    expect(error.message).toMatch(`Voice list rejected (${status} ${code})`)
    expect(error.requestId).toBe(server.requests[0]?.headers['x-request-id'])
  })

  it('is quoted without markup, and cut short', async () => {
    const body = `<h1>Bad\n gateway</h1>${'x'.repeat(10_000)}`
    const server = await startTestServer((response) => void response.writeHead(502).end(body))
    const { message } = await failureOf(
      createClient({ baseUrl: server.baseUrl, maxRetries: 0 }).listVoices(),
    )
    expect(message).toContain(': Bad gateway xxx')
    expect(message.length).toBeLessThan(500)
  })

  it('is quoted without the key', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(401).end(JSON.stringify({ message: `Bad key ${apiKey}!` }))
    })
    const client = createClient({ baseUrl: server.baseUrl, apiKey })
    const error = await failureOf(client.listVoices())
    expect(error.message).toContain('Bad key ***! Check the key')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey)
  })

  it('is not followed as a redirect, which could send the key elsewhere', async () => {
    const elsewhere = await startTestServer((response) => void response.end('{}'))
    const server = await startTestServer((response) => {
      response.writeHead(307, { location: elsewhere.baseUrl }).end()
    })
    const client = createClient({ baseUrl: server.baseUrl, apiKey })
    expect(await failureOf(client.listVoices())).toMatchObject({ status: 307 })
    expect(elsewhere.requests).toEqual([])
  })
})

describe('a response that precedes the end of the request', () => {
  it.each([
    ['closes the connection at once', (socket: Socket) => void socket.destroy()],
    ['waits for the client to close', (socket: Socket) => void socket.end()],
  ])('is read, also if the server %s', async (_what, afterResponse) => {
    const body = '{"code":8,"message":"busy"}'
    const head = `HTTP/1.1 429 Busy\r\nConnection: close\r\nContent-Length: ${body.length}`
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.pause()
        socket.write(`${head}\r\n\r\n${body}`, () => afterResponse(socket))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'a'.repeat(20_000_000) }]
    const error = await failureOf(client.chat({ model: 'auto', messages }))
    expect(error).toMatchObject({ status: 429, code: 'RESOURCE_EXHAUSTED' })
    await client.close()
  })
})

describe('the error for a missing response', () => {
  it('names the address if nothing listens there', async () => {
    const error = await failureOf(
      createClient({ baseUrl: unreachableUrl, maxRetries: 0 }).listVoices(),
    )
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'NOT_REACHABLE', retryable: true })
    expect(error.message).toContain(`no response from ${unreachableUrl} (ECONNREFUSED)`)
  })

  it('is NOT_REACHABLE if the server closes the connection', async () => {
    const server = await startTestServer((response) => void response.destroy())
    const error = await failureOf(
      createClient({ baseUrl: server.baseUrl, maxRetries: 0 }).listVoices(),
    )
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'NOT_REACHABLE' })
  })

  it('names the time limit if the response does not begin', async () => {
    const server = await startTestServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl, firstByteTimeoutMs: 50, maxRetries: 0 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'first byte', timeoutMs: 50 })
  })

  it('names the time limit if the response stalls', async () => {
    const server = await startTestServer((response) => void response.write('{"voices":'))
    const client = createClient({ baseUrl: server.baseUrl, silenceTimeoutMs: 50, maxRetries: 0 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'next byte', retryable: true })
  })

  it('is reported at once if the server does not speak HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
    expect(await failureOf(client.listVoices())).toMatchObject({ code: 'NOT_REACHABLE' })
  })

  it.each([
    ['NOT_REACHABLE', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nGood morning'],
    ['CONNECTION_LOST', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nGood morning'],
  ])('does not quote the response, not even in its cause: %s', async (code, text) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(text))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ code, cause: expect.any(Error) })
    expect(inspect(error, { depth: 9 })).not.toContain('Good morning')
  })
})

describe('a time limit', () => {
  const limitMs = 100
  // A server that accepts the connection and sends nothing; with TLS, the connection does not even open.
  const startSilentServer = async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    return `127.0.0.1:${(silent.address() as AddressInfo).port}`
  }

  it.each([
    ['connect', { connectTimeoutMs: limitMs }],
    ['first byte', { firstByteTimeoutMs: limitMs }],
    ['next byte', { silenceTimeoutMs: limitMs }],
    ['total', { timeoutMs: limitMs }],
  ])('is kept within a fraction of a second: %s', async (phase, options) => {
    const stalling = await startTestServer((response) => void response.write('{"voices":'))
    const silent = await startSilentServer()
    const baseUrl =
      phase === 'next byte'
        ? stalling.baseUrl
        : `${phase === 'connect' ? 'https' : 'http'}://${silent}`
    const client = createClient({ baseUrl, maxRetries: 0, ...options })
    const startedAt = performance.now()
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ phase, timeoutMs: limitMs })
    // A timer that is only checked every half second takes at least 499 ms; a busy machine adds some milliseconds.
    expect(performance.now() - startedAt).toBeLessThan(400)
    await client.close()
  })

  it('of the silence does not count while the reader pauses', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(1000)).repeat(200))
      setTimeout(() => response.end(audioLine(Buffer.alloc(1000))), 10)
    })
    const client = createClient({ baseUrl: server.baseUrl, silenceTimeoutMs: 30, maxRetries: 0 })
    const request = { text: 'Hello', voiceId: 'Clara', modelId: 'm' }
    let chunks = 0
    for await (const _ of client.synthesizeStream(request)) {
      if (chunks++ === 0) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(chunks).toBe(201)
  })
})

describe('timeoutMs', () => {
  it('ends a call that takes too long, even while bytes arrive, and closes the connection', async () => {
    const server = await startTestServer((response) => {
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    })
    const client = createClient({ baseUrl: server.baseUrl, timeoutMs: 100 })
    expect(await failureOf(client.listVoices())).toMatchObject({
      name: 'TimeoutError',
      phase: 'total',
      timeoutMs: 100,
      retryable: false,
    })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })
})

describe('maxConcurrent', () => {
  it('limits concurrent calls, runs the others in order, and skips aborted ones', async () => {
    const pending: (() => void)[] = []
    const server = await startTestServer((response) => {
      pending.push(() => response.end('{}'))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxConcurrent: 2 })
    const list = (filter: string, signal?: AbortSignal) => client.listVoices({ filter }, { signal })
    const running = [list('1'), list('1')]
    await vi.waitFor(() => expect(pending.length).toBe(2))
    const timeout = AbortSignal.timeout(50)
    const waiting = [failureOrReason(list('2', timeout)), list('3'), list('4'), list('5')]
    expect(await waiting[0]).toBe(timeout.reason)
    for (let index = 0; index < 5; index++) {
      await vi.waitFor(() => expect(pending.length).toBe(Math.min(index + 2, 5)))
      pending[index]?.()
    }
    await Promise.all([...running, ...waiting])
    const filters = server.requests.map(({ url }) => url.split('filter=')[1])
    expect(filters).toEqual(['1', '1', '3', '4', '5'])
  })
})

describe('request, first byte and end', () => {
  it('are reported to the debug hook without key, query or text', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    const events: DebugEvent[] = []
    const debug = (event: DebugEvent) => void events.push(event)
    const client = createClient({ baseUrl: server.baseUrl, apiKey, debug })
    await client.listVoices({ filter: 'secret' })
    await vi.waitFor(() => expect(events.length).toBe(3))
    expect(events).toMatchObject([
      { type: 'request', what: 'Voice list', method: 'GET', path: '/voices/v1/voices' },
      { type: 'first-byte', status: 200, elapsedMs: expect.any(Number) },
      { type: 'end' },
    ])
    saveRecord('debug events', JSON.stringify(events))
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(1)
  })

  it('are published on the diagnostics channels of undici', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    const paths: string[] = []
    const onRequest = (message: unknown) => {
      paths.push((message as { request: { path: string } }).request.path)
    }
    subscribe('undici:request:create', onRequest)
    onTestFinished(() => void unsubscribe('undici:request:create', onRequest))
    await createClient({ baseUrl: server.baseUrl }).listVoices()
    expect(paths).toEqual(['/voices/v1/voices'])
  })
})

describe('close', () => {
  it('ends running calls and closes every connection', async () => {
    const server = await startTestServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
    const listing = failureOf(client.listVoices())
    while (server.openSockets() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const disconnected = server.nextDisconnect()
    await client.close()
    expect((await listing).code).toBe('NOT_REACHABLE')
    await disconnected
  })
})
