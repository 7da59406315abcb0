import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { withinTime } from '../../runtime/wait.ts'

/** How this machine reaches a player. */
export interface PlayerRoute {
  /** The IPv4 address of this machine in the network that leads to the player. */
  own: string
  player: string
}

const limitMs = 1_000
/** Any port: nothing is sent. */
const port = 9

/**
 * Asks the system for the route to a player.
 * @param host Its name or address.
 * @returns undefined if there is none, or if the name is not known within a second.
 */
export function routeTo(host: string): Promise<PlayerRoute | undefined> {
  return withinTime(limitMs, findRoute(host), () => undefined).catch(() => undefined)
}

async function findRoute(host: string): Promise<PlayerRoute> {
  const { address: player } = await lookup(host, { family: 4 })
  const socket = createSocket('udp4')
  try {
    socket.connect(port, player)
    await once(socket, 'connect')
    return { own: socket.address().address, player }
  } finally {
    socket.close()
  }
}
