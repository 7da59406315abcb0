import { createServer, type Socket } from 'node:net'
import { listen } from './open-port.ts'

export interface AgentCheckOptions {
  host: string
  port: number
  /** @returns the share of the requests that the service can take, in percent; 0 if it will stop. */
  readPercent(): number
}

/** A port on which a proxy asks how much this service can take. */
export interface AgentCheck {
  port: number
  close(): Promise<void>
}

/** A proxy connects, reads a line and closes. */
const maxConnections = 20
const silenceLimitMs = 2_000

/**
 * Responds to the agent check of HAProxy with one line: `ready up 75%`, or `drain` if the service will stop.
 * Source: the section agent-check of HAProxy's configuration manual.
 * @throws {Error} with `code` `EADDRINUSE` if the port is in use.
 */
export async function openAgentCheck(options: AgentCheckOptions): Promise<AgentCheck> {
  const { host, port, readPercent } = options
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.setTimeout(silenceLimitMs, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    // What it sends is not read, and would keep the connection open.
    socket.resume()
    const percent = readPercent()
    socket.end(percent > 0 ? `ready up ${percent}%\n` : 'drain\n')
  })
  server.maxConnections = maxConnections
  await listen(server, {
    host,
    port,
    inUseMessage: `Port ${port} of ${host} is already in use. Choose another port (--agent-port)`,
    onFailure() {},
  })
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
