import { createServer } from 'node:net'

const [firstPort, ports] = [20_000, 10_000]
/** Far from the next process, so that no other one takes the port before the program listens on it. */
let next = process.pid * 97

/**
 * An address at which nothing listens. The system never assigns a port below 1024, unlike the port of a closed server, which
 * the next server of any test can get.
 */
export const unreachableUrl = 'http://127.0.0.1:2'

/**
 * Finds a free port below the ephemeral range. The system could assign an ephemeral port to a connection before the program
 * listens on it, even to the connection of a client that tries to reach the program.
 */
export async function freePort(): Promise<number> {
  const port = firstPort + (next++ % ports)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return isFree ? port : freePort()
}
