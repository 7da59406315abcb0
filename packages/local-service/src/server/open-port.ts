import { isIP, type Server } from 'node:net'
import { isLoopback } from '@parlando/core/address'

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

/**
 * Whether only this machine can reach the host. No name but `localhost` is trusted: somebody else may decide to which machine
 * it leads, also below `localhost`, which not every resolver treats as the standard says.
 */
export function isOnlyLocal(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
}
