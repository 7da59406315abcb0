import { connect } from 'node:net'
import { createConnection, type WyomingConnection } from './wyoming-connection.ts'

const connectLimitMs = 5_000

/**
 * Connects to a server.
 * @param address such as `tcp://192.168.1.5:10300`.
 * @throws {Error} if the server cannot be reached in time, or after an abort.
 */
export function openConnection(address: string, signal: AbortSignal): Promise<WyomingConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy()
      finish()
      reject(error)
    }
    const abort = () => fail(new Error('aborted'))
    const timer = setTimeout(
      () => fail(new Error('it does not accept the connection')),
      connectLimitMs,
    )
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    socket.once('error', fail)
    socket.once('connect', () => {
      finish()
      resolve(createConnection(socket))
    })
  })
}

/** Reads the data of the event `info`. @throws {Error} if the server closes the connection first. */
export async function describeServer(
  connection: WyomingConnection,
): Promise<Readonly<Record<string, unknown>>> {
  await connection.send({ type: 'describe' })
  for await (const { type, data } of connection.events) {
    if (type === 'info') return data
  }
  throw new Error('It closed the connection without a list')
}

/**
 * Reads the address of a server as users write it: `192.168.1.5` or `tcp://192.168.1.5:10300`.
 * @param usualPort the port if the text has none.
 * @throws {Error} describing a valid address.
 */
export function readAddress(text: string, usualPort: number): string {
  const address = text.includes('://') ? text : `tcp://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'tcp:' || !url.hostname || url.username || !/^\/?$/.test(url.pathname)) {
    throw new Error(`an address such as tcp://192.168.1.5:${usualPort}`)
  }
  return `tcp://${url.hostname}:${url.port || usualPort}`
}
