import { once } from 'node:events'
import {
  connectTo,
  openTestServer as open,
  readToEnd,
} from '@parlando/test-support/local-service/open-server'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../errors/service-error.ts'
import { createBodyBudget, limitBody } from '../../requests/limit-body.ts'

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

describe('a request with an Expect header', () => {
  const app = new Hono()
  app.post('/', limitBody(1000, createBodyBudget()), async ({ req, text }) =>
    text(`received ${(await req.text()).length}`),
  )
  app.onError(
    (error) => new Response(error.message, { status: (error as ServiceError).httpStatus }),
  )
  const send = async (...headers: string[]) => {
    const socket = connectTo(await open({ fetch: app.fetch }))
    socket.write(['POST / HTTP/1.1', 'Host: localhost', ...headers, '\r\n'].join('\r\n'))
    return socket
  }

  it.each([['Content-Length: 5'], ['Transfer-Encoding: chunked']])(
    'is invited to send its body: %s',
    async (length) => {
      const socket = await send('Expect: 100-continue', 'Connection: close', length)
      const [invitation] = await once(socket, 'data')
      expect(String(invitation)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(length.includes('chunked') ? '5\r\nHello\r\n0\r\n\r\n' : 'Hello')
      expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 .*received 5/s)
    },
  )

  it('is rejected without an invitation if the body is too large, and the connection closes', async () => {
    const socket = await send('Expect: 100-continue', 'Content-Length: 100000000')
    expect(await readToEnd(socket)).toMatch(
      /^HTTP\/1\.1 413 .*\r\nConnection: close\r\n.*larger than 1000 bytes$/s,
    )
  })

  it('may expect something unknown', async () => {
    const socket = await send('Expect: a miracle', 'Connection: close', 'Content-Length: 5')
    socket.write('Hello')
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 .*received 5/s)
  })
})
