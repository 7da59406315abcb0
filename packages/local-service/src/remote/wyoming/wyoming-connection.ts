import type { Socket } from 'node:net'
import { encodeEvent, type WyomingEvent, type WyomingMessage } from './event.ts'
import { type ReadEventsOptions, readWyomingEvents } from './read-events.ts'

/** A connection of the Wyoming protocol, on either side. */
export interface WyomingConnection {
  /** The events of the other side, which waits while they are not read. @throws as `readWyomingEvents`. */
  events: AsyncIterable<WyomingEvent>
  /**
   * Resolves when the other side has room for more.
   * @throws {Error} if the connection is closed.
   */
  send(event: WyomingMessage): Promise<void>
  /** The address of the other side. */
  address: string
  /** Aborted when the connection has closed. */
  closed: AbortSignal
  /** Closes the connection after everything that was sent, even if the other side keeps it open. */
  end(): void
  /** Closes the connection at once. */
  destroy(): void
}

/** The time in which the other side should close its half of the connection. */
const closeLimitMs = 2_000

/** @param reading what the other side may send. Default: what servers may send. */
export function createConnection(socket: Socket, reading?: ReadEventsOptions): WyomingConnection {
  const closed = new AbortController()
  const address = socket.remoteAddress ?? ''
  // Audio must not wait until the last packet is acknowledged.
  socket.setNoDelay(true)
  // The reader and `send` report it.
  socket.on('error', () => {})
  socket.once('close', () => closed.abort(new Error('The connection is closed')))
  return {
    events: readWyomingEvents(socket.iterator({ destroyOnReturn: false }), reading),
    async send(event) {
      closed.signal.throwIfAborted()
      if (socket.write(encodeEvent(event))) return
      await new Promise<void>((resolve) => {
        const finish = () => {
          socket.off('drain', finish)
          socket.off('close', finish)
          resolve()
        }
        socket.on('drain', finish)
        socket.on('close', finish)
      })
      closed.signal.throwIfAborted()
    },
    address,
    closed: closed.signal,
    end() {
      socket.end(() => setTimeout(() => socket.destroy(), closeLimitMs).unref())
    },
    destroy: () => void socket.destroy(),
  }
}
