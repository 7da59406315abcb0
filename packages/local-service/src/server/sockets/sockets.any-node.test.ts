import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { openRawWebSocket } from '@parlando/test-support/local-service/clients/raw-web-socket'
import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/clients/socket-client'
import {
  connectTo,
  openTestServer,
  readToEnd,
} from '@parlando/test-support/local-service/open-server'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ClientSocket } from './client-socket.ts'
import { endWithError } from './client-socket.ts'
import { acceptSocket, addSockets, type SocketLimits } from './sockets.ts'

/** An app whose sockets send back each message. */
function createEcho(onOpen: (socket: ClientSocket) => void = () => {}) {
  const app = new Hono()
  app.onError(({ message }, context) => context.text(message, 429))
  const serve = async (socket: ClientSocket) => {
    onOpen(socket)
    try {
      for await (const bytes of socket.messages) await socket.send(JSON.parse(String(bytes)))
    } catch (error) {
      await endWithError(socket, error, { onFailure() {} })
    }
  }
  app.get('/', (context) => acceptSocket(context, serve))
  return app
}

const openEcho = (limits: SocketLimits = {}, onOpen?: (socket: ClientSocket) => void) =>
  openTestServer({ fetch: createEcho(onOpen).fetch, ...limits })

/** A server without the options of `openServer`. The test does not wait until its connections have closed. */
async function openPlain(app: Hono) {
  const server = createServer()
  addSockets(server, app.fetch, {})
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, port }
}

/** @param allowHalfOpen whether the client keeps its half of the connection open. */
function connectToPort(port: number, allowHalfOpen = false) {
  const connection = connect({ port, host: '127.0.0.1', allowHalfOpen })
  onTestFinished(() => void connection.destroy())
  connection.on('error', () => {})
  return connection
}

function handshakeOf(target: string): string {
  return (
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  )
}

/** An upgrade that the service does not support, as `curl --http2` sends it. */
const http2Upgrade =
  'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' +
  'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nContent-Length: 5\r\n\r\nHello'

async function echoed(client: SocketClient, text: string): Promise<void> {
  client.send({ text })
  while (!JSON.stringify(client.received.at(-1) ?? {}).includes(text)) {
    await once(client.webSocket, 'message')
  }
}

describe('a socket', () => {
  it.each([
    ['Basic', '/?model=a&authorization=Basic%20key%2Bof', {}, 'Basic key+of'],
    ['Bearer', '/?authorization=Bearer+key&model=a', {}, 'Basic key'],
    ['a header too', '/?model=a&authorization=no', { authorization: 'Basic key' }, 'Basic key'],
    ['what no header can contain', '/?model=a&authorization=Basic%20a%0Ab', {}, null],
  ])('takes the key out of the query, with %s', async (_name, target, headers, authorization) => {
    const received: Request[] = []
    const app = new Hono()
    app.get('/', (context) => {
      received.push(context.req.raw)
      return acceptSocket(context, async () => {})
    })
    const { baseUrl } = await openTestServer({ fetch: app.fetch })
    const client = await connectSocket(baseUrl, target, { headers })
    expect(received).toMatchObject([{ url: 'http://localhost/?model=a' }])
    expect(received[0]!.headers.get('authorization')).toBe(authorization)
    expect(await client.closed).toBe(1000)
  })

  it('ends at a frame that announces 100 MB, before its bytes arrive', async () => {
    const server = await openEcho()
    const connection = connectTo(server)
    const bytes: Buffer[] = []
    connection.on('data', (data: Buffer) => bytes.push(data))
    connection.write(handshakeOf('/'))
    await once(connection, 'data')
    const header = Buffer.alloc(14)
    // Text, the last frame, masked, with a length of 64 bits.
    header.writeUInt16BE(0x81ff)
    header.writeBigUInt64BE(100_000_000n, 2)
    connection.write(header)
    const closeFrame = Buffer.from([0x88, 0x02, 1009 >> 8, 1009 & 0xff])
    while (!Buffer.concat(bytes).includes(closeFrame)) await once(connection, 'data')
  })

  it('ends when its client sends nothing, but not while it sends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    /** The server waits for a message: the silence has begun. */
    const listening = async () => {
      while (vi.getTimerCount() === 0) await setImmediate()
    }
    const { baseUrl } = await openEcho()
    const client = await connectSocket(baseUrl, '/')
    for (const text of ['one', 'two', 'three']) {
      await listening()
      vi.advanceTimersByTime(9000)
      await echoed(client, text)
    }
    await listening()
    vi.advanceTimersByTime(10_000)
    expect(await client.closed).toBe(1008)
    expect(client.received.at(-1)).toMatchObject({
      error: { code: 4, message: 'The client sent no message for 10 s' },
    })
  })
})

describe('above the limit of sockets', () => {
  const becomeSilent = () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    return { pass: (ms: number) => vi.advanceTimersByTime(ms) }
  }

  it('the socket that has been silent for longest makes room, and gets the reason', async () => {
    const clock = becomeSilent()
    const { baseUrl } = await openEcho({ maxSockets: 2 })
    const silent = await connectSocket(baseUrl, '/')
    await echoed(silent, 'one')
    clock.pass(9000)
    const active = await connectSocket(baseUrl, '/')
    await echoed(active, 'two')
    await expect(connectSocket(baseUrl, '/')).rejects.toThrow(/^429 .*limit of 2 sockets/)
    clock.pass(1000)
    await echoed(await connectSocket(baseUrl, '/'), 'three')
    expect(await silent.closed).toBe(1008)
    expect(silent.received.at(-1)).toMatchObject({
      error: { message: 'The client was silent, and another one needed its place' },
    })
    await echoed(active, 'four')
  })

  it('a socket with work is kept', async () => {
    const clock = becomeSilent()
    const { baseUrl } = await openEcho({ maxSockets: 1 }, (socket) => socket.watchWork(() => true))
    const busy = await connectSocket(baseUrl, '/')
    await echoed(busy, 'one')
    clock.pass(60_000)
    await expect(connectSocket(baseUrl, '/')).rejects.toThrow(/^429 /)
    await echoed(busy, 'two')
  })
})

it('of sockets whose unfinished messages exceed 32 MiB together, the largest is closed', async () => {
  const { baseUrl } = await openEcho()
  const open = () => openRawWebSocket(baseUrl, '/')
  const header = Buffer.alloc(14)
  header.writeUInt16BE(0x81ff)
  header.writeBigUInt64BE(BigInt(1024 * 1024), 2)
  const part = Buffer.concat([header, Buffer.alloc(1000 * 1024)])
  const clients = await Promise.all(Array.from({ length: 34 }, open))
  const closed = clients.map(async (client) => {
    const received: Buffer[] = []
    client.on('data', (data: Buffer) => received.push(data))
    await once(client, 'close')
    return Buffer.concat(received)
  })
  for (const client of clients) client.write(part)
  // A client that is closed because it was silent receives an error.
  expect(await Promise.race(closed)).toHaveLength(0)
  await echoed(await connectSocket(baseUrl, '/'), 'Hello')
})

describe('a handshake', () => {
  it.each([
    ['//', 404],
    ['//a:b@c/', 404],
    ['http://a:b@c/', 400],
  ])(
    'with the target %s is rejected with %i, and the next one is accepted',
    async (target, status) => {
      const server = await openPlain(createEcho())
      const connection = connectToPort(server.port)
      connection.write(handshakeOf(target))
      expect(await readToEnd(connection)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      await echoed(await connectSocket(server.baseUrl, '/'), 'Hello')
    },
  )

  it('that was rejected does not keep the server open, although its client sends more and never ends', async () => {
    const server = await openEcho()
    const connection = connectToPort(Number(new URL(server.baseUrl).port), true)
    connection.write(`${handshakeOf('/unknown')}more`)
    const [response] = await once(connection, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 404 /)
    await server.close()
  })
})

describe('an upgrade to another protocol', () => {
  it('is ignored, so the request gets its ordinary response, or rejected by an older Node.js', async () => {
    const canIgnore = 'shouldUpgradeCallback' in createServer()
    const connection = connectTo(await openTestServer())
    connection.write(http2Upgrade)
    const [response] = await once(connection, 'data')
    const ordinary = /^HTTP\/1\.1 200 .*\r\n\r\nHello$/s
    expect(String(response)).toMatch(canIgnore ? ordinary : /^HTTP\/1\.1 400 /)
  })

  it('is rejected with advice by a version of Node.js that cannot ignore it', async () => {
    const connection = connectToPort((await openPlain(new Hono())).port)
    connection.write(http2Upgrade)
    expect(await readToEnd(connection)).toMatch(
      /^HTTP\/1\.1 400 .*send the request without the header Upgrade/s,
    )
  })
})
