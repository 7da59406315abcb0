import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Watches for the server that accepts the next connection. @returns a function that provides it. */
export function watchListeningServer(): () => Server {
  let found: Server | undefined
  const keep = (message: unknown) => {
    found ??= (message as { socket: { server: Server } }).socket.server
  }
  subscribe('net.server.socket', keep)
  onTestFinished(() => void unsubscribe('net.server.socket', keep))
  return () => {
    if (!found) throw new Error('No server has accepted a connection')
    return found
  }
}
