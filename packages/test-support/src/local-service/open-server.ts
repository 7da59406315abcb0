import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type ListeningServer,
  openServer,
  type ServerOptions,
} from '../../../local-service/src/server/http-server.ts'

const echo = async (request: Request) => new Response(await request.text())

/** Opens a server that responds with the body of each request. */
export async function openTestServer(
  options: Partial<ServerOptions> = {},
): Promise<ListeningServer> {
  const server = await openServer({ fetch: echo, host: '127.0.0.1', port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

export function connectTo({ baseUrl }: ListeningServer): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Everything that the server sends until it closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** A handler whose response the test releases. */
export function createHeldResponse() {
  let arrive = () => {}
  let respond = () => {}
  const hasArrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const response = new Promise<Response>((resolve) => {
    respond = () => resolve(new Response('first'))
  })
  const fetch = () => {
    arrive()
    return response
  }
  return { hasArrived, respond, fetch }
}
