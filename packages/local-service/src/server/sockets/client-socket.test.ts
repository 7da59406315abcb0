import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  openRawWebSocket,
  textFrames,
} from '@parlando/test-support/local-service/clients/raw-web-socket'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ClientSocket, serveSocket } from './client-socket.ts'

/** A client that writes frames, and the socket of the service at the other end. */
async function open(serve: (socket: ClientSocket) => Promise<void>, pingMs = 30_000) {
  const server = createServer()
  const webSockets = new WebSocketServer({ server })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const connected = once(webSockets, 'connection') as Promise<[WebSocket]>
  const { port } = server.address() as AddressInfo
  const client = await openRawWebSocket(`http://127.0.0.1:${port}`, '/')
  const [webSocket] = await connected
  serveSocket(webSocket, serve, { pingMs, address: '', onHold() {} })
  return { client, webSocket }
}

describe('a client socket', () => {
  it('holds the event loop only briefly for 100,000 messages that were waiting', async () => {
    const held = await measureHold(async () => {
      let read = 0
      let startReading = () => {}
      const starting = new Promise<void>((resolve) => {
        startReading = resolve
      })
      const { client, webSocket } = await open(async ({ messages }) => {
        await starting
        for await (const _message of messages) if (++read === 100_000) return
      })
      client.resume()
      client.write(textFrames('x', 100_000))
      await expect.poll(() => webSocket.isPaused).toBe(true)
      startReading()
      await expect.poll(() => read).toBe(100_000)
    })
    expect(held).toBeLessThan(maxHoldMs)
  })

  it('drops the messages of a client that is gone', async () => {
    let read = 0
    let isOver = false
    const { client } = await open(async ({ messages, signal }) => {
      for await (const _message of messages) {
        read++
        if (!signal.aborted) await once(signal, 'abort')
      }
      isOver = true
    })
    client.write(textFrames('x', 100), () => client.destroy())
    await expect.poll(() => isOver).toBe(true)
    expect(read).toBe(1)
  })

  it('lets a client wait that sends empty messages', async () => {
    const { client, webSocket } = await open(() => new Promise(() => {}))
    client.write(textFrames('', 400_000))
    await expect.poll(() => webSocket.isPaused).toBe(true)
  })

  it('reads no further messages while the client does not read, and continues when it does', async () => {
    let read = 0
    const { client, webSocket } = await open(async ({ messages, send }) => {
      for await (const _message of messages) {
        read++
        void send({ text: 'x'.repeat(100_000) })
      }
    })
    client.write(textFrames('x', 5000))
    await expect.poll(() => webSocket.isPaused).toBe(true)
    expect(webSocket.bufferedAmount).toBeLessThan(2 * 1024 * 1024)
    client.resume()
    await expect.poll(() => read, { timeout: 80_000 }).toBe(5000)
  }, 90_000)

  it('ends when a client that has to wait reads nothing', async () => {
    const { client, webSocket } = await open(async ({ messages, send }) => {
      for await (const _message of messages) void send({ text: 'x'.repeat(100_000) })
    }, 50)
    const closed = once(webSocket, 'close')
    client.write(textFrames('x', 5000))
    await closed
  })
})
