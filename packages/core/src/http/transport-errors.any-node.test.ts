import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../client.ts'

const apiKey = keys.service

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
