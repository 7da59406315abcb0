import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes a connection whose client no longer reads or sends. Node's own limit can take twice as long: it counts the bytes
 * that the system accepted at the start of a write as traffic when the limit has passed. So this function checks in short
 * intervals. The time in which a client waits for the response to a complete request does not count.
 */
export function closeWhenSilent(server: Server, silenceLimitMs: number): void {
  const checkMs = silenceLimitMs / 10
  // A connection without a request that is silent for one interval closes; Node does that.
  server.timeout = checkMs
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    let lastCheck = 0
    let silentMs = 0
    response.on('timeout', (socket: Socket) => {
      const now = performance.now()
      // Without traffic, the checks follow each other at once.
      const hasPaused = now - lastCheck > 1.5 * checkMs
      // The transcription of a long recording may take longer than the limit.
      const isWaiting = request.complete && !response.headersSent
      silentMs = hasPaused ? checkMs : silentMs + checkMs
      if (isWaiting) silentMs = 0
      lastCheck = now
      if (silentMs >= silenceLimitMs) socket.destroy()
      else socket.setTimeout(checkMs)
    })
  })
}
