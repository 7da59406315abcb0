import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestServer {
  baseUrl: string
  /** The requests, with JSON bodies parsed. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: unknown }[]
  /** Resolves when a client closes its connection. */
  nextDisconnect(): Promise<void>
  openSockets(): number
  close(): Promise<void>
}

type Handler = (
  response: ServerResponse,
  request: IncomingMessage,
  bytes: Uint8Array<ArrayBuffer>,
) => void | Promise<void>

/** A real HTTP server on loopback that responds as the test specifies; it stops with the test. */
export async function startTestServer(handler: Handler): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const sockets = new Set<Socket>()
  let onDisconnect: (() => void) | undefined
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    const { method = '', url = '', headers } = request
    const isJson = headers['content-type']?.startsWith('application/json')
    const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes.toString()
    requests.push({ method, url, headers, body })
    await handler(response, request, bytes)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      onDisconnect?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    nextDisconnect: () =>
      new Promise((resolve) => {
        onDisconnect = resolve
      }),
    openSockets: () => sockets.size,
    close,
  }
}

/** A stream's line with this audio in it. */
export function audioLine(audio: Uint8Array, more: object = {}): string {
  const audioContent = Buffer.from(audio).toString('base64')
  return `${JSON.stringify({ result: { audioContent, ...more } })}\n`
}
