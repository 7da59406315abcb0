import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestServer {
  baseUrl: string
  /** The requests, with JSON bodies parsed. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: unknown }[]
  /** Resolves when a client closes its connection. */
  nextDisconnect(): Promise<void>
  openSockets(): number
  /** The server, for `startSocketServer`. */
  server: Server
  close(): Promise<void>
}

type Handler = (
  response: ServerResponse,
  request: IncomingMessage,
  bytes: Uint8Array<ArrayBuffer>,
) => void | Promise<void>

/** Starts an HTTP server on the loopback interface with this handler. It stops at the end of the test. */
export async function startTestServer(handler: Handler): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const sockets = new Set<Socket>()
  let onDisconnect: (() => void) | undefined
  const server = createServer(async (request, response) => {
    // A handshake, in a server without sockets. It is not a request of the call.
    if (request.headers.upgrade) return void response.writeHead(404, { connection: 'close' }).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
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
    server,
    close,
  }
}

/** A line of a speech stream with this audio. */
export function audioLine(audio: Uint8Array, more: object = {}): string {
  const audioContent = Buffer.from(audio).toString('base64')
  return `${JSON.stringify({ result: { audioContent, ...more } })}\n`
}
