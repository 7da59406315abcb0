import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'

/** UDP loses messages, so the search is repeated. */
const repeatMs = 500

export interface SearchOptions {
  /** How long to search. */
  searchMs: number
  signal: AbortSignal
  /** The addresses of this machine from which to search. Default: all but those of the loopback interface. */
  addresses?: readonly string[]
}

export interface MulticastSearch {
  /** The address of all devices of a network. */
  group: { address: string; port: number }
  /** Whether devices may send their responses to the whole group. */
  respondsToGroup?: boolean
  /** Creates the message of a round. */
  message(): string | Uint8Array
  /** Receives a response, with the address of the device; returns whether the search ends. */
  take(response: Buffer, responder: string): boolean | Promise<boolean>
}

/** Searches the networks of this machine by multicast, and closes its sockets. @throws the reason of the signal. */
export async function searchByMulticast(
  { group, respondsToGroup = false, message, take }: MulticastSearch,
  { searchMs, signal, addresses = ownAddresses() }: SearchOptions,
): Promise<void> {
  const sockets = (await Promise.all(addresses.map(openSocket))).filter((socket) => socket !== null)
  const member = respondsToGroup ? await joinGroup(group, addresses) : null
  const listening = member ? [member] : []
  const ended = new Promise<void>((resolve) => {
    const onMessage = async (response: Buffer, { address }: { address: string }) => {
      if (await take(response, address)) resolve()
    }
    for (const socket of [...sockets, ...listening]) socket.on('message', onMessage)
  })
  const search = () => {
    const bytes = message()
    for (const socket of sockets) socket.send(bytes, group.port, group.address, () => {})
  }
  search()
  const timer = setInterval(search, repeatMs)
  try {
    await withinTime(searchMs, unlessAborted(ended, signal), () => undefined).catch((error) => {
      if (error !== undefined) throw error
    })
  } finally {
    clearInterval(timer)
    for (const socket of [...sockets, ...listening]) socket.close()
  }
}

/** The addresses of this machine in networks that may have devices. */
function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  return addresses
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}

/** @returns null where another program keeps the port for itself. */
async function joinGroup(
  { address, port }: MulticastSearch['group'],
  interfaces: readonly string[],
): Promise<Socket | null> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  try {
    socket.bind(port)
    await once(socket, 'listening')
    for (const own of interfaces) join(socket, address, own)
    return socket.on('error', () => {})
  } catch {
    socket.close()
    return null
  }
}

/** @returns null for an interface that cannot send to a group, such as one that has just gone. */
async function openSocket(address: string): Promise<Socket | null> {
  const socket = createSocket('udp4')
  try {
    socket.bind(0, address)
    await once(socket, 'listening')
    socket.setMulticastInterface(address)
    return socket.on('error', () => {})
  } catch {
    socket.close()
    return null
  }
}

function join(socket: Socket, group: string, address: string): void {
  try {
    socket.addMembership(group, address)
  } catch {
    // An interface that has just gone.
  }
}
