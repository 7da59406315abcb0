import { createServer } from 'node:net'

/**
 * A port below those that the system gives to connections: one of these could take it while a program is still to come or
 * is away, even a connection of a client that tries to reach it.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return isFree ? port : freePort()
}
