import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { WyomingEvent } from '../../../../local-service/src/remote/wyoming/event.ts'
import {
  createConnection,
  type WyomingConnection,
} from '../../../../local-service/src/remote/wyoming/wyoming-connection.ts'

/** Starts a server of the Wyoming protocol that passes each event to the handler. It stops at the end of the test. */
export async function startWyomingServer(
  handler: (event: WyomingEvent, connection: WyomingConnection) => Promise<void> | void,
) {
  const events: WyomingEvent[] = []
  const sockets = new Set<Socket>()
  let accepted = 0
  const serve = async (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const connection = createConnection(socket)
    for await (const event of connection.events) {
      events.push(event)
      await handler(event, connection)
    }
    connection.end()
  }
  const server: Server = createServer((socket) => void serve(socket).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const { port } = server.address() as { port: number }
  return {
    address: `tcp://127.0.0.1:${port}`,
    events,
    openSockets: () => sockets.size,
    accepted: () => accepted,
  }
}

const attribution = { name: 'Someone', url: 'https://example.org' }

/** An artifact in the `info` of a server. */
export const artifact = (name: string, more: object = {}) => ({
  name,
  attribution,
  installed: true,
  description: null,
  version: '1.0.0',
  ...more,
})
