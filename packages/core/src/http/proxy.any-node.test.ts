import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { keys } from '@parlando/test-support/secrets/keys'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'
import { InputError } from '../errors.ts'

const apiKey = keys.service
const variables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
])

beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A proxy that connects every tunnel to one loopback port and records everything that it can read. */
async function startProxy({ toPort, status = '200 OK' }: { toPort: number; status?: string }) {
  const targets: string[] = []
  const connectHeaders: object[] = []
  const forwarded: Buffer[] = []
  const server = createServer((request, response) => {
    targets.push(`${request.method} ${request.url}`)
    response.writeHead(500).end()
  })
  server.on('connect', (request, client, head) => {
    targets.push(`CONNECT ${request.url}`)
    connectHeaders.push(request.headers)
    client.on('error', () => {})
    if (!status.startsWith('200')) return client.end(`HTTP/1.1 ${status}\r\n\r\n`)
    const upstream = connect(toPort, '127.0.0.1')
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes: Buffer) => forwarded.push(bytes))
    client.write(`HTTP/1.1 ${status}\r\n\r\n`)
    upstream.write(head)
    upstream.pipe(client).pipe(upstream)
  })
  const port = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    targets,
    connectHeaders,
    forwardedText: () => Buffer.concat(forwarded).toString('latin1'),
  }
}

async function startService() {
  const server = await startTestServer((response) => void response.end('{}'))
  return { ...server, port: Number(new URL(server.baseUrl).port) }
}

function createTestClient(options: Parameters<typeof createClient>[0]) {
  const client = createClient({ maxRetries: 0, allowInsecure: true, ...options })
  onTestFinished(() => client.close())
  return client
}

describe('a proxy in the environment', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('is used for http: %s', async (variable) => {
    const service = await startService()
    const proxy = await startProxy({ toPort: service.port })
    vi.stubEnv(variable, proxy.url)
    await createTestClient({ baseUrl: 'http://speech.example', apiKey }).listVoices()
    expect(proxy.targets).toEqual(['CONNECT speech.example:80'])
    expect(service.requests).toMatchObject([
      { url: '/voices/v1/voices', headers: { authorization: `Basic ${apiKey}` } },
    ])
    expect(service.requests[0]?.headers.host).toBe('speech.example')
  })

  it.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY'])(
    'receives only host and port for https: %s',
    async (variable) => {
      const received: unknown[] = []
      const service = createHttpsServer(makeCertificate(), ({ headers, url }, response) => {
        received.push({ url, authorization: headers.authorization, trace: headers.traceparent })
        response.end('{}')
      })
      const proxy = await startProxy({ toPort: await listen(service) })
      vi.stubEnv(variable, proxy.url)
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      onTestFinished(() => warn.mockRestore())
      const headers = { traceparent: 'a-trace-of-ours' }
      await createTestClient({ baseUrl: 'https://speech.example', apiKey, headers }).listVoices()
      expect(received).toEqual([
        { url: '/voices/v1/voices', authorization: `Basic ${apiKey}`, trace: 'a-trace-of-ours' },
      ])
      expect(proxy.targets).toEqual(['CONNECT speech.example:443'])
      const visible = JSON.stringify(proxy.connectHeaders) + proxy.forwardedText()
      expect(proxy.forwardedText()).not.toBe('')
      for (const secret of [apiKey, 'authorization', 'a-trace-of-ours', '/voices']) {
        expect(visible).not.toContain(secret)
      }
    },
  )

  it('receives its own password, which the service never sees', async () => {
    const service = await startService()
    const proxy = await startProxy({ toPort: service.port })
    vi.stubEnv('HTTP_PROXY', `http://me:secret@127.0.0.1:${proxy.port}`)
    await createTestClient({ baseUrl: 'http://speech.example' }).listVoices()
    expect(proxy.connectHeaders).toMatchObject([
      { 'proxy-authorization': `Basic ${Buffer.from('me:secret').toString('base64')}` },
    ])
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('is not used for hosts in NO_PROXY', async () => {
    const service = await startService()
    const proxy = await startProxy({ toPort: service.port })
    vi.stubEnv('HTTP_PROXY', proxy.url)
    vi.stubEnv('NO_PROXY', 'speech.example,0.0.0.0')
    // This address connects to this machine, but is not a loopback address.
    await createTestClient({ baseUrl: `http://0.0.0.0:${service.port}` }).listVoices()
    expect(service.requests).toHaveLength(1)
    expect(proxy.targets).toEqual([])
  })

  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
    'is not used for loopback: %s',
    async (host) => {
      const service = await startService()
      const proxy = await startProxy({ toPort: service.port })
      vi.stubEnv('HTTP_PROXY', proxy.url)
      await createTestClient({ baseUrl: `http://${host}:${service.port}` }).listVoices()
      expect(service.requests).toHaveLength(1)
      expect(proxy.targets).toEqual([])
    },
  )

  it('is named in the error when it rejects the connection', async () => {
    const proxy = await startProxy({ toPort: 1, status: '407 Proxy Authentication Required' })
    vi.stubEnv('HTTP_PROXY', proxy.url)
    const listing = createTestClient({ baseUrl: 'http://speech.example' }).listVoices()
    await expect(listing).rejects.toMatchObject({
      code: 'NOT_REACHABLE',
      message: expect.stringMatching(
        /the proxy in HTTPS_PROXY or HTTP_PROXY responded with 407: .*password@host:port$/,
      ),
      cause: { message: expect.stringContaining('407') },
    })
  })

  it('is rejected without its password when it is not an address', () => {
    vi.stubEnv('HTTPS_PROXY', 'http://me:secret@:port')
    const create = () => createClient({ baseUrl: 'https://speech.example' })
    expect(create).toThrow(InputError)
    expect(create).toThrow('HTTPS_PROXY or HTTP_PROXY is not the address of an HTTP proxy')
    expect(create).not.toThrow('secret')
  })

  it('does not keep a connection open after close', async () => {
    const service = await startService()
    const proxy = await startProxy({ toPort: service.port })
    vi.stubEnv('HTTP_PROXY', proxy.url)
    const client = createTestClient({ baseUrl: 'http://speech.example' })
    await client.listVoices()
    expect(service.openSockets()).toBe(1)
    await client.close()
    await vi.waitFor(() => expect(service.openSockets()).toBe(0))
  })
})

/** Opens a socket and sends audio. @returns the first event. */
async function firstEventOf(client: ReturnType<typeof createClient>): Promise<unknown> {
  const stream = client.transcribeStream()
  stream.write(new Uint8Array(1000))
  stream.end()
  for await (const event of stream) return event
  return undefined
}

describe('a WebSocket', () => {
  const onMessage = (socket: { send(message: unknown): void }, message: object) => {
    if ('closeStream' in message) socket.send({ result: { speechStarted: { startTimeMs: 7 } } })
  }

  it('uses the proxy, which sees only host and port', async () => {
    const server = createHttpsServer(makeCertificate())
    const { baseUrl, sockets } = await startSocketServer({ server, onMessage })
    const proxy = await startProxy({ toPort: Number(new URL(baseUrl).port) })
    vi.stubEnv('HTTPS_PROXY', proxy.url)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const client = createTestClient({ baseUrl: 'https://speech.example', apiKey })
    expect(await firstEventOf(client)).toEqual({ type: 'speechStarted', startMs: 7 })
    expect(proxy.targets).toEqual(['CONNECT speech.example:443'])
    expect(sockets[0]?.headers).toMatchObject({
      host: 'speech.example',
      authorization: `Basic ${apiKey}`,
    })
    const visible = JSON.stringify(proxy.connectHeaders) + proxy.forwardedText()
    for (const secret of [apiKey, 'authorization', 'transcribe']) {
      expect(visible).not.toContain(secret)
    }
    await client.close()
  })

  it('uses the proxy for http', async () => {
    const { baseUrl } = await startSocketServer({ onMessage })
    const proxy = await startProxy({ toPort: Number(new URL(baseUrl).port) })
    vi.stubEnv('HTTP_PROXY', proxy.url)
    const client = createTestClient({ baseUrl: 'http://speech.example' })
    expect(await firstEventOf(client)).toEqual({ type: 'speechStarted', startMs: 7 })
    expect(proxy.targets).toEqual(['CONNECT speech.example:80'])
  })

  it('names the proxy if it rejects the connection', async () => {
    const proxy = await startProxy({ toPort: 1, status: '407 Proxy Authentication Required' })
    vi.stubEnv('HTTP_PROXY', proxy.url)
    const client = createTestClient({ baseUrl: 'http://speech.example' })
    expect(await failureOf(firstEventOf(client))).toMatchObject({
      code: 'NOT_REACHABLE',
      message: expect.stringMatching(
        /the proxy in HTTPS_PROXY or HTTP_PROXY responded with 407: .*password@host:port$/,
      ),
      cause: { message: expect.stringContaining('407') },
    })
  })

  it('does not trust a self-signed certificate, and says so', async () => {
    const server = createHttpsServer(makeCertificate())
    const { baseUrl, sockets } = await startSocketServer({ server, onMessage })
    const client = createTestClient({ baseUrl: baseUrl.replace('http:', 'https:') })
    const error = await failureOf(firstEventOf(client))
    expect(error).toMatchObject({ code: 'NOT_REACHABLE' })
    expect(error.message).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(sockets).toEqual([])
  })
})
