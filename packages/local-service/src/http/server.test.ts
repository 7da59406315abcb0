import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
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
