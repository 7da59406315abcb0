import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startLittleServer } from '../../../test/support/little-server.ts'
import { createClient } from './client.ts'
import { ParlandoError } from './errors.ts'

const apiKey = 'aWQ6c2VjcmV0'

async function failureOf(promise: Promise<unknown>): Promise<ParlandoError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!ParlandoError.isInstance(error)) throw error
  return error
}

describe('an answer with an error status', () => {
  it.each([
    [400, { code: 3, message: 'text missing' }, 'INVALID_ARGUMENT', false],
    [400, { code: 5, message: 'unknown voice' }, 'NOT_FOUND', false],
    [401, {}, 'UNAUTHENTICATED', false],
    [402, {}, 'RESOURCE_EXHAUSTED', false],
    [403, { error: { code: 7, message: 'read only' } }, 'PERMISSION_DENIED', false],
    [404, 'not here', 'NOT_FOUND', false],
    [408, '', 'INVALID_ARGUMENT', true],
    [429, { message: 'slower' }, 'RESOURCE_EXHAUSTED', true],
    [500, '<html><b>Oops</b></html>', 'INTERNAL', true],
    [501, { code: 12, message: 'no' }, 'UNIMPLEMENTED', false],
    [503, '', 'UNAVAILABLE', true],
  ])('becomes an ApiError: %i %j', async (status, body, code, retryable) => {
    const server = await startLittleServer((response) => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    const error = await failureOf(createClient({ baseUrl: server.baseUrl }).listVoices())
    expect(error).toMatchObject({ name: 'ApiError', status, code, retryable })
    expect(error.message).toMatch(`Voice list refused (${status} ${code})`)
    expect(error.requestId).toBe(server.requests[0]?.headers['x-request-id'])
  })

  it('says what the service says, without markup and cut short', async () => {
    const body = `<h1>Bad\n gateway</h1>${'x'.repeat(10_000)}`
    const server = await startLittleServer((response) => void response.writeHead(502).end(body))
    const { message } = await failureOf(createClient({ baseUrl: server.baseUrl }).listVoices())
    expect(message).toContain(': Bad gateway xxx')
    expect(message.length).toBeLessThan(500)
  })

  it('never repeats the key, not even when the service does', async () => {
    const server = await startLittleServer((response) => {
      response.writeHead(401).end(JSON.stringify({ message: `Bad key ${apiKey}!` }))
    })
    const client = createClient({ baseUrl: server.baseUrl, apiKey })
    const error = await failureOf(client.listVoices())
    expect(error.message).toContain('Bad key ***!. Check the key')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey)
  })

  it('does not follow a redirect, which could carry the key elsewhere', async () => {
    const elsewhere = await startLittleServer((response) => void response.end('{}'))
    const server = await startLittleServer((response) => {
      response.writeHead(307, { location: elsewhere.baseUrl }).end()
    })
    const client = createClient({ baseUrl: server.baseUrl, apiKey })
    expect(await failureOf(client.listVoices())).toMatchObject({ status: 307 })
    expect(elsewhere.requests).toEqual([])
  })
})

describe('no answer', () => {
  it('tells the address that nobody listens at', async () => {
    const server = await startLittleServer(() => {})
    await server.close()
    const error = await failureOf(createClient({ baseUrl: server.baseUrl }).listVoices())
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'NOT_REACHABLE', retryable: true })
    expect(error.message).toContain(`no answer from ${server.baseUrl} (ECONNREFUSED)`)
  })

  it('tells that the connection was closed before an answer', async () => {
    const server = await startLittleServer((response) => void response.destroy())
    const error = await failureOf(createClient({ baseUrl: server.baseUrl }).listVoices())
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'NOT_REACHABLE' })
  })

  it('tells which limit passed when the answer does not begin', async () => {
    const server = await startLittleServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl, firstByteTimeoutMs: 50 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'first byte', timeoutMs: 50 })
  })

  it('tells which limit passed when the answer falls silent', async () => {
    const server = await startLittleServer((response) => void response.write('{"voices":'))
    const client = createClient({ baseUrl: server.baseUrl, silenceTimeoutMs: 50 })
    const error = await failureOf(client.listVoices())
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'next byte', retryable: true })
  })

  it('is not waited for when what listens speaks no HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}` })
    expect(await failureOf(client.listVoices())).toMatchObject({ code: 'NOT_REACHABLE' })
  })
})

describe('close', () => {
  it('ends a call that runs and closes every connection', async () => {
    const server = await startLittleServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl })
    const listing = failureOf(client.listVoices())
    while (server.openSockets() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const gone = server.nextDisconnect()
    await client.close()
    expect((await listing).code).toBe('NOT_REACHABLE')
    await gone
  })
})
