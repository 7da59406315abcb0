import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { NodeAPI } from 'node-red'
import { addSoundRoute } from '../../../node-red-nodes/src/sounds/to-play/sound-route.ts'
import {
  createSoundStore,
  type SoundStore,
} from '../../../node-red-nodes/src/sounds/to-play/sound-store.ts'

/** As Express calls it. */
type Route = (request: object, response: ServerResponse, next: () => void) => void

/** Sounds that players can fetch without a Node-RED. */
export interface SoundServer {
  sounds: SoundStore
  /** The requests so far, such as `GET bytes=0-`. */
  requests: string[]
  /** How many bytes wait for each player that is connected. */
  waitingBytes(): number[]
  close(): Promise<void>
}

interface SoundServerOptions {
  /** For players in another network: a Unix socket to listen on, and the address that leads to it. Default: a free port. */
  proxy?: { socket: string; baseUrl: string }
  /** How long a player may read nothing. */
  maxPauseMs?: number
}

export async function serveSounds({
  proxy,
  maxPauseMs,
}: SoundServerOptions = {}): Promise<SoundServer> {
  const requests: string[] = []
  let route: Route = () => {}
  const server = createServer((request, response) => {
    requests.push([request.method, request.headers.range].filter(Boolean).join(' '))
    const notFound = () => void response.writeHead(404).end()
    const params = { fileName: request.url!.split('/').at(-1)! }
    route(Object.assign(request, { params }), response, notFound)
  }).listen(proxy?.socket ?? 0)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = proxy?.baseUrl ?? `http://127.0.0.1:${port}`
  const addressOf = () => ({ baseUrl, warning: undefined })
  const sounds = createSoundStore({ addressOf })
  const get = (_path: string, handler: Route) => {
    route = handler
  }
  addSoundRoute({ httpNode: { get } } as unknown as NodeAPI, [sounds], maxPauseMs)
  return {
    sounds,
    requests,
    waitingBytes: () => [...sockets].map(({ writableLength }) => writableLength),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
