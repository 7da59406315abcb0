import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import {
  connectTo,
  createHeldResponse,
  openTestServer as open,
  readToEnd,
} from '@parlando/test-support/local-service/open-server'
import type { Context } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import type { ListeningServer, ServerOptions } from '../http-server.ts'
import { closeWhenSilent, trustConnection } from './connections.ts'

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

describe('a client that reads a response slowly', () => {
  /** A response that is being sent. The server checks its connection ten times until the limit. */
  function sendSlowly() {
    const server = new EventEmitter()
    closeWhenSilent(server as Server, 300_000)
    const response = Object.assign(new EventEmitter(), { headersSent: true })
    server.emit('request', { complete: true }, response)
    const socket = { bytesRead: 0, bytesWritten: 0, setTimeout() {}, destroy: vi.fn() }
    return { socket, check: () => response.emit('timeout', socket) }
  }

  it('keeps its connection if there is traffic between two checks, however little', () => {
    const { socket, check } = sendSlowly()
    for (let checks = 0; checks < 100; checks++) {
      if (checks % 9 === 0) socket.bytesWritten += 1
      check()
    }
    expect(socket.destroy).not.toHaveBeenCalled()
  })

  it('loses its connection at the limit without traffic', () => {
    const { socket, check } = sendSlowly()
    for (let checks = 0; checks < 9; checks++) check()
    expect(socket.destroy).not.toHaveBeenCalled()
    check()
    expect(socket.destroy).toHaveBeenCalledOnce()
  })
})
