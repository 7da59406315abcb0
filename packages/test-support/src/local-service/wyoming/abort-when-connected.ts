import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A signal that aborts with `gone` between the moment when the next socket has connected and what waits for that. */
export function abortWhenConnected(): AbortSignal {
  const controller = new AbortController()
  const abortSoon = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => queueMicrotask(() => controller.abort(new Error('gone'))))
  }
  subscribe('net.client.socket', abortSoon)
  onTestFinished(() => void unsubscribe('net.client.socket', abortSoon))
  return controller.signal
}
