import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConnection } from './wyoming-connection.ts'

/** A connection, and the socket at its other end, which reads nothing by itself. */
async function open() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  const connection = createConnection(socket)
  const other = await accepted
  onTestFinished(async () => {
    connection.destroy()
    other.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { connection, socket, other }
}

const payload = Buffer.alloc(64 * 1024)

describe('createConnection', () => {
  it('sends no more while the other side does not read', async () => {
    const { connection, socket, other } = await open()
    let sent = 0
    const sending = (async () => {
      for (; sent < 1000; sent++) await connection.send({ type: 'audio-chunk', payload })
    })()
    // A pause that is too short only makes the test pass.
    for (let before = -1; before < sent; await wait(200)) before = sent
    expect(socket.writableNeedDrain).toBe(true)
    // The sockets of the system hold a few megabytes.
    expect(sent).toBeLessThan(500)
    other.resume()
    await sending
  })

  it('rejects events after the other side has closed, also one that waits', async () => {
    const { connection, other } = await open()
    const sending = (async () => {
      for (;;) await connection.send({ type: 'audio-chunk', payload })
    })()
    const rejected = expect(sending).rejects.toThrow('The connection is closed')
    await wait(50)
    other.destroy()
    await rejected
    expect(connection.closed.aborted).toBe(true)
    await expect(connection.send({ type: 'ping' })).rejects.toThrow('The connection is closed')
  })
})
