import { isIPv4, type Server } from 'node:net'

export interface PortOptions {
  host: string
  port: number
  /** The message of the error if the port is in use. */
  inUseMessage: string
  /** Receives failures to accept a connection, for example with too many open files. The next one may succeed. */
  onFailure(error: Error): void
}

/** Resolves when the server listens. @throws {Error} with `code` `EADDRINUSE` if the port is in use. */
export function listen(
  server: Server,
  { host, port, inUseMessage, onFailure }: PortOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') error.message = inUseMessage
      reject(error)
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      // Without a listener, an error would end the process.
      server.on('error', onFailure)
      resolve()
    })
  })
}

/** Whether only this machine can reach the host, judged by its name; the only trusted name is `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
