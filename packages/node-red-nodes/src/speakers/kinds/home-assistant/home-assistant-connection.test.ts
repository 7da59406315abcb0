import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { keys } from '@parlando/test-support/secrets/keys'
import { type ServerSocket, startSocketServer } from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HomeAssistantConnection } from './home-assistant-connection.ts'

const RED = speakerTexts.en
const token = keys.service
const required = { type: 'auth_required', ha_version: '2025.9.4' }
const ok = { type: 'auth_ok', ha_version: '2025.9.4' }

async function open(address: string, limitMs = 2000): Promise<HomeAssistantConnection> {
  const webSocketUrl = `${address.replace('http', 'ws')}/api/websocket`
  const server = { address, webSocketUrl, token }
  const connection = await HomeAssistantConnection.open(
    { RED, server, limitMs },
    AbortSignal.timeout(10_000),
  )
  onTestFinished(() => connection.close())
  return connection
}

/** A server that lets a client in, and then does this with each command. */
const startServer = (onCommand: (socket: ServerSocket, command: { id: number }) => void) =>
  startSocketServer({
    onOpen: (socket) => socket.send(required),
    onMessage(socket, message) {
      if (message['type'] === 'auth') socket.send(ok)
      else onCommand(socket, message as { id: number })
    },
  })

describe('a connection to Home Assistant', () => {
  it('sends the token after Home Assistant has asked for it, and then commands with ids', async () => {
    const server = await startServer((socket, { id }) =>
      socket.send({ id, type: 'result', success: true, result: { id } }),
    )
    const connection = await open(server.baseUrl)
    expect(connection.version).toBe('2025.9.4')
    const results = await Promise.all([
      connection.request({ type: 'one' }),
      connection.request({ type: 'two' }),
    ])
    expect(results).toEqual([{ id: 1 }, { id: 2 }])
    expect(server.sockets[0]!.messages).toEqual([
      { type: 'auth', access_token: token },
      { type: 'one', id: 1 },
      { type: 'two', id: 2 },
    ])
    expect(server.sockets[0]!.headers.authorization).toBeUndefined()
  })

  it('receives the events of a subscription', async () => {
    const server = await startServer((socket, { id }) => {
      socket.send({ id, type: 'result', success: true, result: null })
      socket.send({ id, type: 'event', event: { number: 1 } })
      socket.send({ id: 99, type: 'event', event: { number: 2 } })
    })
    const connection = await open(server.baseUrl)
    const event = await new Promise((resolve) => {
      void connection.subscribe({ type: 'subscribe' }, resolve)
    })
    expect(event).toEqual({ number: 1 })
  })

  it('fails with the reason of Home Assistant, without the token', async () => {
    const server = await startServer((socket, { id }) => {
      const error = { code: 'unknown', message: `no player for ${token}` }
      socket.send({ id, type: 'result', success: false, error })
    })
    const connection = await open(server.baseUrl)
    await expect(connection.request({ type: 'one' })).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message:
        'Home Assistant rejects the sound (no player for …): check the device in Home Assistant.',
    })
  })

  it('ends when a response takes too long, and rejects all commands', async () => {
    const server = await startServer(() => {})
    const connection = await open(server.baseUrl, 200)
    const other = connection.request({ type: 'other' }, Number.POSITIVE_INFINITY)
    const both = Promise.allSettled([connection.request({ type: 'one' }), other])
    for (const { reason } of (await both) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    }
    await expect(connection.ended).rejects.toThrow('does not respond')
    await expect(connection.request({ type: 'late' })).rejects.toThrow('has ended')
  })

  it.each(['{"id":1,"ty', '7', 'null', '[{"type":"pong"}]', '{"id":1}'])(
    'ends with a message that the API does not define: %s',
    async (message) => {
      const server = await startServer(({ webSocket }) => webSocket.send(message))
      const connection = await open(server.baseUrl)
      await expect(connection.request({ type: 'one' })).rejects.toThrow('malformed message')
    },
  )

  it('ends with a message that is too large', async () => {
    const server = await startServer(({ webSocket }) => webSocket.send('x'.repeat(1024 * 1024)))
    const connection = await open(server.baseUrl)
    const request = connection.request({ type: 'one' })
    await expect(request).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  })
})

describe('the token is not sent', () => {
  it('to a server that is not Home Assistant', async () => {
    const server = await startSocketServer({ onOpen: (socket) => socket.send({ type: 'hello' }) })
    await expect(open(server.baseUrl)).rejects.toThrow('does not respond as Home Assistant does')
    expect(server.sockets[0]!.messages).toEqual([])
  })

  it('to a server that says nothing', async () => {
    const server = await startSocketServer({})
    await expect(open(server.baseUrl, 200)).rejects.toThrow('does not respond')
    expect(server.sockets[0]!.messages).toEqual([])
  })

  it('to the target of a redirect', async () => {
    const target = await startSocketServer({ onOpen: (socket) => socket.send(required) })
    const redirect = createServer((_request, response) => {
      response.writeHead(302, { location: `${target.baseUrl}/api/websocket` }).end()
    }).listen(0, '127.0.0.1')
    await once(redirect, 'listening')
    onTestFinished(() => void redirect.close())
    const { port } = redirect.address() as AddressInfo
    await expect(open(`http://127.0.0.1:${port}`)).rejects.toThrow('HTTP 302')
    expect(target.handshakes()).toBe(0)
  })
})

it('a token that Home Assistant rejects is named as the reason', async () => {
  const server = await startSocketServer({
    onOpen: (socket) => socket.send(required),
    onMessage: (socket) => socket.send({ type: 'auth_invalid', message: 'Invalid access token' }),
  })
  await expect(open(server.baseUrl)).rejects.toMatchObject({
    code: 'SPEAKER_REFUSED',
    message: expect.stringContaining('create a new long-lived access token'),
  })
})
