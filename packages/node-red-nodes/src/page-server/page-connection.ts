import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'

/** The connection of a browser that has opened a page. */
export interface PageConnection {
  /** The remote address. */
  address: string
  /** When the browser last did something. A time of `performance.now()`. */
  activeAt: number
  /** Sends JSON. A browser that does not read it is not there any more. */
  send(json: string): void
  /** Sends a sign of life. */
  beat(): void
  /** Closes it after what was sent. @param code of WebSocket. Default: the service restarts, so the browser connects again. */
  end(code?: number): void
  onClose(closed: () => void): void
}

/** Proxies close a connection that is silent for a minute. A page that receives none connects again. */
export const heartbeatMs = 15_000

/** What a browser does not read. */
const maxUnsentBytes = 256 * 1024
const closeMs = 1000
/** A status code of WebSocket: the service restarts. */
const restart = 1012
const alive = '{"type":"alive"}'

export function connectSocket(socket: WebSocket, address: string): PageConnection {
  // Its close follows.
  socket.on('error', () => {})
  let isThere = true
  socket.on('pong', () => {
    isThere = true
  })
  const send = (json: string) => {
    socket.send(json)
    if (socket.bufferedAmount > maxUnsentBytes) socket.terminate()
  }
  return {
    address,
    activeAt: performance.now(),
    send,
    beat() {
      // After a delay of this process, the response to the last ping waits to be read.
      setImmediate(() => {
        if (!isThere) return socket.terminate()
        isThere = false
        socket.ping()
        send(alive)
      })
    },
    end(code = restart) {
      socket.close(code)
      // A browser that sleeps does not respond.
      setTimeout(() => socket.terminate(), closeMs).unref()
    },
    onClose: (closed) => void socket.on('close', closed),
  }
}

/**
 * Keeps a response open for server-sent events: for browsers behind a proxy that passes on no WebSocket. Browsers open at most
 * six connections of this kind to one host.
 */
export function connectEvents(response: ServerResponse, address: string): PageConnection {
  // Such as that of a write after its end.
  response.on('error', () => {})
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // nginx would collect the events otherwise.
    'X-Accel-Buffering': 'no',
  })
  const send = (json: string) => {
    response.write(`data: ${json}\n\n`)
    if (response.writableLength > maxUnsentBytes) response.destroy()
  }
  send(alive)
  return {
    address,
    activeAt: performance.now(),
    send,
    beat: () => send(alive),
    end() {
      response.end()
      setTimeout(() => response.destroy(), closeMs).unref()
    },
    onClose: (closed) => void response.on('close', closed),
  }
}

/**
 * Chooses the connection that makes room for a new one: of the address with the most connections, the one that has been
 * silent for longest. So nobody keeps all others out by opening connections.
 */
export function connectionToClose<Connection extends Pick<PageConnection, 'address' | 'activeAt'>>(
  connections: Iterable<Connection>,
): Connection | undefined {
  const byAddress = new Map<string, Connection[]>()
  for (const connection of connections) {
    const others = byAddress.get(connection.address) ?? []
    byAddress.set(connection.address, [...others, connection])
  }
  return [...byAddress.values()]
    .sort((one, other) => other.length - one.length)[0]
    ?.sort((one, other) => one.activeAt - other.activeAt)[0]
}
