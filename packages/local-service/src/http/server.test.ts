import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trustConnection } from './connections.ts'
import { type ListeningServer, openServer, type ServerOptions } from './server.ts'

const echo = async (request: Request) => new Response(await request.text())

async function open(options: Partial<ServerOptions> = {}): Promise<ListeningServer> {
  const server = await openServer({ fetch: echo, host: '127.0.0.1', port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

function connectTo({ baseUrl }: ListeningServer): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Everything that the server sends until it closes the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** Sends a byte every 20 ms until the connection closes. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20)
  socket.once('close', () => clearInterval(timer))
}

/** A handler whose response the test releases. */
function createHeldResponse() {
  let arrive = () => {}
  let respond = () => {}
  const hasArrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const response = new Promise<Response>((resolve) => {
    respond = () => resolve(new Response('first'))
  })
  const fetch = () => {
    arrive()
    return response
  }
  return { hasArrived, respond, fetch }
}

describe('a client that sends slowly', () => {
  it('is disconnected while it sends its headers', async () => {
    const socket = connectTo(await open({ headLimitMs: 100, requestLimitMs: 10_000 }))
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    drip(socket)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is disconnected while it sends its body', async () => {
    const socket = connectTo(await open({ headLimitMs: 100, requestLimitMs: 200 }))
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n')
    drip(socket)
    await readToEnd(socket)
    expect(socket.destroyed).toBe(true)
  })
})

it('rejects headers larger than 16 KiB', async () => {
  const { baseUrl } = await open()
  const statusWith = async (bytes: number) =>
    (await fetch(baseUrl, { headers: { 'x-large': 'x'.repeat(bytes) } })).status
  expect(await statusWith(15_000)).toBe(200)
  expect(await statusWith(17_000)).toBe(431)
})

it('rejects a request without a Host header and one with two lengths', async () => {
  const server = await open()
  for (const headers of [
    '',
    'Host: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n',
  ]) {
    const socket = connectTo(server)
    socket.write(`POST / HTTP/1.1\r\n${headers}\r\n`)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 400 /)
  }
})

describe('a response that precedes the end of its request', () => {
  const rejectWith = (status: number) => async () => new Response('rejected', { status })
  const head = (bytes: number) =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`

  it('reaches a client that sends everything before it reads, and says that the connection closes', async () => {
    const socket = connectTo(await open({ fetch: rejectWith(429) }))
    socket.pause()
    socket.write(head(40_000_000))
    await new Promise<void>((resolve) => socket.write(Buffer.alloc(40_000_000), () => resolve()))
    socket.resume()
    const response = await readToEnd(socket)
    expect(response).toMatch(/^HTTP\/1\.1 429 .*\r\nConnection: close\r\n.*rejected$/s)
    expect(socket.errored).toBe(null)
  })

  it('is complete while the client still sends', async () => {
    const socket = connectTo(await open({ fetch: rejectWith(400) }))
    socket.write(head(100_000))
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/rejected$/)
    socket.write('x'.repeat(100_000))
    await readToEnd(socket)
    expect(socket.errored).toBe(null)
  })

  it('reads nothing more after a wrong key', async () => {
    const socket = connectTo(await open({ fetch: rejectWith(401) }))
    const bytes = 100_000_000
    socket.write(head(bytes))
    let isWritten = false
    socket.write(Buffer.alloc(bytes), (error) => {
      isWritten = !error
    })
    expect(await readToEnd(socket)).toMatch(
      /^HTTP\/1\.1 401 .*\r\nConnection: close\r\n.*rejected$/s,
    )
    // The operating system buffers only a few megabytes.
    expect(isWritten).toBe(false)
  })

  it('keeps the connection open if the rest is small', async () => {
    const { baseUrl } = await open({ fetch: rejectWith(429) })
    const response = await fetch(baseUrl, { method: 'POST', body: 'small' })
    expect(response.headers.get('connection')).toBe('keep-alive')
    await response.text()
  })
})

describe('the requests of a connection', () => {
  it('run one after another', async () => {
    const first = createHeldResponse()
    const started: string[] = []
    const server = await open({
      fetch: async ({ url }) => {
        started.push(new URL(url).pathname)
        return url.endsWith('/first') ? first.fetch() : new Response(url)
      },
    })
    const socket = connectTo(server)
    for (const name of ['first', 'second', 'third']) {
      socket.write(`GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    }
    await first.hasArrived
    expect((await fetch(`${server.baseUrl}/other`)).status).toBe(200)
    expect(started).toEqual(['/first', '/other'])
    first.respond()
    let responses = ''
    for await (const data of socket) {
      responses += data
      if (responses.includes('/third')) break
    }
    expect(responses).toMatch(/first.*\/second.*\/third/s)
  })

  it('are limited: the connection is closed above 100 that wait', async () => {
    const socket = connectTo(await open({ fetch: createHeldResponse().fetch }))
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(102))
    expect(await readToEnd(socket)).toBe('')
  })
})

describe('above the limit of connections', () => {
  /** Opens connections that send nothing. */
  async function openSilent(server: ListeningServer, count: number): Promise<Socket[]> {
    const sockets: Socket[] = []
    for (let index = 0; index < count; index++) {
      const socket = connectTo(server)
      socket.on('error', () => {})
      await once(socket, 'connect')
      sockets.push(socket)
    }
    return sockets
  }

  it('the oldest silent one makes room for a new one', async () => {
    const server = await open({ maxConnections: 10 })
    const [oldest, ...others] = await openSilent(server, 10)
    expect((await fetch(server.baseUrl, { method: 'POST', body: 'served' })).status).toBe(200)
    if (!oldest!.destroyed) await readToEnd(oldest!)
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([])
  })

  it('those of one address that have not shown the key make room first', async () => {
    const server = await open({ maxUntrustedPerAddress: 3 })
    const [oldest, ...others] = await openSilent(server, 4)
    if (!oldest!.destroyed) await readToEnd(oldest!)
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([])
  })

  it('those that have shown the key stay while they have work', async () => {
    const held = createHeldResponse()
    const fetchTrusted: ServerOptions['fetch'] = (_request, env) => {
      trustConnection({ env } as Context)
      return held.fetch()
    }
    const server = await open({ maxConnections: 3, fetch: fetchTrusted })
    const response = fetch(server.baseUrl)
    await held.hasArrived
    await openSilent(server, 6)
    held.respond()
    expect(await (await response).text()).toBe('first')
  })
})

describe('a client that does not read', () => {
  it('is disconnected at the limit, not only at twice the limit', async () => {
    const silenceLimitMs = 1000
    const responses: ServerResponse[] = []
    const fetchLarge: ServerOptions['fetch'] = (_request, env) => {
      responses.push((env as { outgoing: ServerResponse }).outgoing)
      return new Response(Buffer.alloc(50_000_000))
    }
    const socket = connectTo(await open({ silenceLimitMs, fetch: fetchLarge }))
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => responses.length).toBe(1)
    // A busy machine delays these timers as it delays those of the server, and keeps their order.
    const events: string[] = []
    const closed = once(responses[0]!, 'close').then(() => events.push('closed'))
    const limits = [0.8, 1.7].map((factor) =>
      delay(factor * silenceLimitMs).then(() => events.push(`${factor} of the limit`)),
    )
    await Promise.all([closed, ...limits])
    expect(events).toEqual(['0.8 of the limit', 'closed', '1.7 of the limit'])
  })
})

describe('draining', () => {
  it('waits for running responses and closes each connection after its response', async () => {
    const first = createHeldResponse()
    const server = await open({
      fetch: (request) => (request.url.endsWith('/first') ? first.fetch() : new Response('second')),
    })
    const response = fetch(`${server.baseUrl}/first`)
    await first.hasArrived
    let isDrained = false
    const drained = server.drain(60_000).then(() => {
      isDrained = true
    })
    const second = await fetch(`${server.baseUrl}/second`)
    expect(second.headers.get('connection')).toBe('close')
    await second.text()
    expect(isDrained).toBe(false)
    first.respond()
    expect(await (await response).text()).toBe('first')
    await drained
  })

  it('waits no longer than its limit', async () => {
    const never = createHeldResponse()
    const server = await open({ fetch: never.fetch })
    const socket = connectTo(server)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await never.hasArrived
    await server.drain(10)
    const ended = readToEnd(socket)
    await server.close()
    expect(await ended).toBe('')
  })
})

it('reports which port is in use and what to do', async () => {
  const { baseUrl } = await open()
  const port = Number(new URL(baseUrl).port)
  await expect(open({ port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${port} of 127.0.0.1 is already in use. Choose another port (--port), or 0 for any free port`,
  })
})
