import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import {
  connectTo,
  createHeldResponse,
  openTestServer as open,
  readToEnd,
} from '@parlando/test-support/local-service/open-server'
import { watchListeningServer } from '@parlando/test-support/watch/listening-server'
import { describe, expect, it } from 'vitest'
import type { ServerOptions } from './http-server.ts'

/** Sends a byte every 20 ms until the connection closes. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20)
  socket.once('close', () => clearInterval(timer))
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

describe('what is not a request', () => {
  const send = async (bytes: string) => {
    const fetchBody = async (request: Request) => new Response(request.url + (await request.text()))
    const socket = connectTo(await open({ fetch: fetchBody }))
    socket.write(bytes)
    return readToEnd(socket)
  }
  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n'
  const post = get.replace('GET', 'POST')

  it.each([
    ['a header in two lines', `${get}X-Note: a\r\n b\r\n\r\n`, 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`, 400],
    ['large headers', `${get}X-Note: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ])('is rejected with a reason: %s', async (_what, bytes, status) => {
    const response = await send(bytes)
    expect(response).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*\r\n\r\n\\{"code":3,"message":"`, 's'),
    )
  })

  it('is rejected once, although the request was already handled', async () => {
    const response = await send(`${get}Transfer-Encoding: chunked\t \r\n\r\n0\r\n\r\n`)
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })

  it.each([
    ['after a request', 'no request\r\n\r\n'],
    ['as the body of a request', `${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`],
  ])('is rejected %s after the response to the request before it', async (_where, bytes) => {
    expect(await send(`${get}\r\n${bytes}`)).toMatch(
      /^HTTP\/1\.1 200 .*localhost.*HTTP\/1\.1 400 /s,
    )
  })
})

it.each([
  ['GET http://localhost/a', 'Host: localhost'],
  ['GET HTTP://LocalHost/a', 'Host: LocalHost'],
  ['GET /a', 'Host: LocalHost:1'],
  ['GET /a', 'Host:'],
])('accepts every spelling of an address: %s, %s', async (line, host) => {
  const socket = connectTo(await open({ fetch: async ({ url }) => new Response(url) }))
  socket.write(`${line} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 .*http:\/\/localhost(:1)?\/a$/s)
})

it('rejects a target that is not an address with a reason', async () => {
  const socket = connectTo(await open())
  socket.write('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await readToEnd(socket)).toMatch(
    /^HTTP\/1\.1 400 .*"message":"The address of the request/s,
  )
})

describe('a client that does not read', () => {
  it('is disconnected at the limit, not only at twice the limit', async () => {
    // A machine that stops for a twentieth of it delays the end.
    const silenceLimitMs = 6000
    const responses: ServerResponse[] = []
    const fetchLarge: ServerOptions['fetch'] = (_request, env) => {
      responses.push((env as { outgoing: ServerResponse }).outgoing)
      return new Response(Buffer.alloc(50_000_000))
    }
    const socket = connectTo(await open({ silenceLimitMs, fetch: fetchLarge }))
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => responses.length).toBe(1)
    const events: string[] = []
    const closed = once(responses[0]!, 'close').then(() => events.push('closed'))
    const limits = [0.8, 1.7].map((factor) =>
      delay(factor * silenceLimitMs).then(() => events.push(`${factor} of the limit`)),
    )
    await Promise.all([closed, ...limits])
    expect(events).toEqual(['0.8 of the limit', 'closed', '1.7 of the limit'])
  })
})

describe('the silence limit', () => {
  it('does not disconnect a client that waits for the response to a complete request', async () => {
    const held = createHeldResponse()
    let checks = 0
    const { baseUrl } = await open({
      // A tenth of it must be enough for a busy machine to read the request.
      silenceLimitMs: 1500,
      fetch: (_request, env) => {
        const { outgoing } = env as { outgoing: ServerResponse }
        // The tenth check is at the limit.
        outgoing.on('timeout', () => ++checks === 12 && held.respond())
        return held.fetch()
      },
    })
    const response = await fetch(baseUrl, { method: 'POST', body: 'complete' })
    expect(await response.text()).toBe('first')
  })

  it('disconnects a client that does not send the rest of its request', async () => {
    const held = createHeldResponse()
    const socket = connectTo(await open({ silenceLimitMs: 100, fetch: held.fetch }))
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nHello')
    expect(await readToEnd(socket)).toBe('')
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

it('still serves after errors of the listening port, such as too many open files', async () => {
  const findServer = watchListeningServer()
  const { baseUrl } = await open()
  expect((await fetch(baseUrl)).status).toBe(200)
  for (let count = 0; count < 2; count++) findServer().emit('error', new Error('accept ENFILE'))
  expect((await fetch(baseUrl)).status).toBe(200)
})
