import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface SocketApi {
  /** Such as `http://127.0.0.1:40123`. */
  address: string
  /** Ends all connections, as a restart does. */
  restart(): void
  close(): Promise<void>
}

interface Session {
  /** Reports a change of a device, if the client follows it. */
  notify(id: string): void
}

/**
 * Serves the WebSocket API of a stand-in, with a session for each connection.
 * @param path Other addresses respond with 404.
 */
export async function startSocketApi(
  path: string,
  sessions: Set<Session>,
  createSession: (socket: WebSocket) => Session,
): Promise<SocketApi> {
  const server = createServer((_request, response) => void response.writeHead(404).end())
  const webSockets = new WebSocketServer({ server, path })
  webSockets.on('connection', (socket) => {
    const session = createSession(socket)
    sessions.add(session)
    socket.on('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const restart = () => {
    for (const socket of webSockets.clients) socket.terminate()
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    restart,
    async close() {
      restart()
      server.close()
      await once(server, 'close')
    },
  }
}
