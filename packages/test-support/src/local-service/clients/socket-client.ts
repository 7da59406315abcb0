import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** A client of a socket that sends and receives JSON. */
export interface SocketClient {
  webSocket: WebSocket
  /** What the server has sent so far. */
  received: unknown[]
  send(...messages: (object | string)[]): void
  /** Resolves when the socket has closed, with the code. */
  closed: Promise<number>
}

export interface SocketClientOptions {
  headers?: Record<string, string>
  protocols?: string[]
  /** Whether it responds to pings. Default: true. */
  autoPong?: boolean
}

/** Connects to a path of a service. @throws {Error} with the status and the body if the server rejects the handshake. */
export async function connectSocket(
  baseUrl: string,
  path: string,
  { headers = {}, protocols = [], autoPong = true }: SocketClientOptions = {},
): Promise<SocketClient> {
  const webSocket = new WebSocket(baseUrl.replace('http', 'ws') + path, protocols, {
    headers,
    autoPong,
  })
  onTestFinished(() => webSocket.terminate())
  const received: unknown[] = []
  webSocket.on('message', (data) => received.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => webSocket.once('close', resolve))
  const rejected = new Promise<never>((_, reject) => {
    webSocket.once('error', reject)
    webSocket.once('unexpected-response', async (_request, response) => {
      const body = await response.toArray()
      reject(new Error(`${response.statusCode} ${Buffer.concat(body)}`))
    })
  })
  rejected.catch(() => {})
  await Promise.race([once(webSocket, 'open'), rejected])
  return {
    webSocket,
    received,
    send(...messages) {
      for (const message of messages) {
        webSocket.send(typeof message === 'string' ? message : JSON.stringify(message))
      }
    },
    closed,
  }
}
