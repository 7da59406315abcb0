import { createServer, type Socket } from 'node:net'
import { limitsOfClients } from '../../remote/wyoming/read-events.ts'
import { createConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { createByteBudget } from '../../server/connections/byte-budget.ts'
import { chooseToClose } from '../../server/connections/make-room.ts'
import { listen } from '../../server/open-port.ts'
import type { AppContext } from '../app/endpoint.ts'
import { announceServer } from './announce-server.ts'
import { ServedConnection } from './serve-connection.ts'

/** A server of the Wyoming protocol, with which Home Assistant uses the voices and recognisers of the service. */
export interface WyomingServer {
  /** An address such as `tcp://127.0.0.1:10200`. */
  url: string
  /** Closes idle connections. Resolves when the others are served or the limit has passed. */
  drain(limitMs: number): Promise<void>
  /** Cuts off the remaining connections and releases the port. */
  close(): Promise<void>
}

const maxConnections = 64
/** What all unfinished events take together. */
const maxUnfinishedBytes = 32 * 1024 * 1024
/** How long a connection may be without any traffic. */
const silenceLimitMs = 5 * 60_000

export interface WyomingServerOptions {
  host: string
  port: number
  /** Whether Home Assistant finds it by mDNS. Default: false. */
  isAnnounced?: boolean
}

/** @throws {Error} with `code` `EADDRINUSE` if the port is in use. */
export async function openWyomingServer(
  { host, port, isAnnounced = false }: WyomingServerOptions,
  service: AppContext,
  announce: typeof announceServer = announceServer,
): Promise<WyomingServer> {
  const sockets = new Map<Socket, ServedConnection>()
  const budget = createByteBudget(maxUnfinishedBytes)
  // A client may end its half of the connection before it reads the transcript.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    makeRoomIn(sockets)
    socket.setTimeout(silenceLimitMs, () => socket.destroy())
    const { hold } = budget.open(() => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      hold(0)
    })
    const connection = createConnection(socket, { limits: limitsOfClients, onHold: hold })
    sockets.set(socket, new ServedConnection(connection, service))
  })
  await listen(server, {
    host,
    port,
    inUseMessage: `Port ${port} of ${host} is already in use. Choose another port (--wyoming-port)`,
    onFailure: service.onFailure,
  })
  const address = server.address() as { port: number }
  const { onFailure } = service
  const takeBack = isAnnounced
    ? await announce({ host, port: address.port, onFailure }).catch((error) => {
        server.close()
        for (const socket of sockets.keys()) socket.destroy()
        throw error
      })
    : undefined
  let closed: Promise<unknown> | undefined
  /** Accepts no more connections. */
  const stopListening = () => {
    closed ??= Promise.all([takeBack?.(), new Promise((resolve) => server.close(resolve))])
    return closed
  }
  return {
    url: `tcp://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async drain(limitMs) {
      void stopListening()
      for (const [socket, { isBusy }] of sockets) if (!isBusy) socket.destroy()
      const limit = new Promise((resolve) => setTimeout(resolve, limitMs).unref())
      const served = [...sockets.values()].map((connection) => connection.served)
      await Promise.race([Promise.all(served), limit])
    },
    async close() {
      const stopped = stopListening()
      for (const socket of sockets.keys()) socket.destroy()
      await stopped
    },
  }
}

function makeRoomIn(sockets: ReadonlyMap<Socket, ServedConnection>): void {
  if (sockets.size < maxConnections) return
  const candidates = [...sockets].map(([socket, { isBusy, lastEventMs }]) => {
    return { socket, address: socket.remoteAddress ?? '', isBusy, lastEventMs }
  })
  chooseToClose(candidates)?.socket.destroy()
}
