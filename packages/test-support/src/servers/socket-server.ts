import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** A WebSocket that a client opened. */
export interface ServerSocket {
  url: string
  headers: IncomingMessage['headers']
  /** The messages, parsed. */
  messages: unknown[]
  webSocket: WebSocket
  /** The connection under the WebSocket. */
  connection: Duplex
  send(message: unknown): void
}

export interface SocketServer {
  baseUrl: string
  sockets: ServerSocket[]
  /** The number of handshakes, including the rejected ones. */
  handshakes(): number
  openConnections(): number
}

export interface SocketServerHandlers {
  /** Called for each handshake; must call `accept` at once or never. Default: accepts it. */
  onUpgrade?(connection: Duplex, accept: () => void, request: IncomingMessage): void
  onOpen?(socket: ServerSocket): void
  onMessage?(socket: ServerSocket, message: Record<string, unknown>): void
  /** A server that also responds to requests. Default: a new one. */
  server?: Server
}

/** Starts a server for WebSockets on the loopback interface. It stops at the end of the test. */
export async function startSocketServer(handlers: SocketServerHandlers): Promise<SocketServer> {
  const { onUpgrade = (_connection, accept) => accept(), onOpen, onMessage } = handlers
  const server = handlers.server ?? createServer((_request, response) => void response.end())
  const webSockets = new WebSocketServer({ noServer: true })
  const sockets: ServerSocket[] = []
  const connections = new Set<Duplex>()
  let handshakes = 0

  const open = (
    webSocket: WebSocket,
    { url = '', headers }: IncomingMessage,
    connection: Duplex,
  ) => {
    const send = (message: unknown) => webSocket.send(JSON.stringify(message))
    const socket = { url, headers, messages: [] as unknown[], webSocket, connection, send }
    sockets.push(socket)
    webSocket.on('error', () => {})
    webSocket.on('message', (bytes) => {
      const message = JSON.parse(String(bytes))
      socket.messages.push(message)
      onMessage?.(socket, message)
    })
    onOpen?.(socket)
  }

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    handshakes += 1
    // Otherwise the server would not notice that the client leaves during the handshake.
    const watching = setImmediate(() => void connection.on('end', () => connection.end()).resume())
    const accept = () => {
      clearImmediate(watching)
      webSockets.handleUpgrade(request, connection, head, (webSocket) =>
        open(webSocket, request, connection),
      )
    }
    connection.on('error', () => {})
    onUpgrade(connection, accept, request)
  })
  server.on('connection', (connection: Duplex) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  if (!server.listening) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const connection of connections) connection.destroy()
    await closed
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    handshakes: () => handshakes,
    openConnections: () => connections.size,
  }
}
