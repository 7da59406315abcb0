import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes a connection whose client no longer reads or sends. Node's own limit can take twice as long: it counts the bytes
 * that the system accepted at the start of a write as traffic when the limit has passed. So this function checks in short
 * intervals.
 */
export function closeWhenSilent(server: Server, silenceLimitMs: number): void {
  const checkMs = silenceLimitMs / 10
  // A connection without a request that is silent for one interval closes; Node does that.
  server.timeout = checkMs
  server.on('request', (_request, response: ServerResponse) => {
    let lastCheck = 0
    let silentMs = 0
    response.on('timeout', (socket: Socket) => {
      const now = performance.now()
      // Without traffic, the checks follow each other at once.
      const hasPaused = now - lastCheck > 1.5 * checkMs
      silentMs = hasPaused ? checkMs : silentMs + checkMs
      lastCheck = now
      if (silentMs >= silenceLimitMs) socket.destroy()
      else socket.setTimeout(checkMs)
    })
  })
}
