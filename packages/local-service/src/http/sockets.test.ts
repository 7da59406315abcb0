import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { connectTo, openTestServer } from '@parlando/test-support/local-service/open-server'
import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/socket-client'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ClientSocket } from './client-socket.ts'
import { endWithError } from './end-with-error.ts'
import { acceptSocket } from './sockets.ts'

/** A server whose sockets send back each message. */
function openEcho() {
  const app = new Hono()
  const serve = async (socket: ClientSocket) => {
    try {
      for await (const bytes of socket.messages) await socket.send(JSON.parse(String(bytes)))
    } catch (error) {
      await endWithError(socket, error, { onFailure() {} })
    }
  }
  app.get('/', (context) => acceptSocket(context, serve))
  return openTestServer({ fetch: app.fetch })
}

async function echoed(client: SocketClient, text: string): Promise<void> {
  client.send({ text })
  while (!JSON.stringify(client.received.at(-1) ?? {}).includes(text)) {
    await once(client.webSocket, 'message')
  }
}

describe('a socket', () => {
  it('ends at a frame that announces 100 MB, before its bytes arrive', async () => {
    const server = await openEcho()
    const connection = connectTo(server)
    const bytes: Buffer[] = []
    connection.on('data', (data: Buffer) => bytes.push(data))
    connection.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
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
