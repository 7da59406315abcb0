import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import type { PageConnection } from '../../page-server/make-room.ts'

/** The connection of a browser that has opened the page of a speaker. */
export interface SpeakerConnection extends PageConnection {
  /** Sends a command, as JSON. */
  send(json: string): void
  /** Sends a sign of life. */
  beat(): void
  /** Closes it after what was sent. The browser connects again. */
  end(): void
  onClose(closed: () => void): void
}

/** A browser that reads nothing for so long is not there any more. */
const maxUnsentBytes = 256 * 1024
const closeMs = 1000
/** A status code of WebSocket: the service restarts. */
const restart = 1012

/** @param address The remote address. */
export function connectSocket(socket: WebSocket, address: string): SpeakerConnection {
  // Its close follows.
  socket.on('error', () => {})
  // Browsers send their reports as requests.
  socket.on('message', () => socket.terminate())
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
      if (!isThere) return socket.terminate()
      isThere = false
      socket.ping()
      send('{"type":"alive"}')
    },
    end() {
      socket.close(restart)
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
export function connectEvents(response: ServerResponse, address: string): SpeakerConnection {
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
  const beat = () => send('{"type":"alive"}')
  beat()
  return {
    address,
    activeAt: performance.now(),
    send,
    beat,
    end() {
      response.end()
      setTimeout(() => response.destroy(), closeMs).unref()
    },
    onClose: (closed) => void response.on('close', closed),
  }
}
