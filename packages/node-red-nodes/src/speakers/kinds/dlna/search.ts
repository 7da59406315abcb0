import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { parseUrl } from './renderer.ts'

/** The address of all UPnP devices of a network. */
const group = { address: '239.255.255.250', port: 1900 }
const searchTarget = 'urn:schemas-upnp-org:device:MediaRenderer:1'
/** UDP loses messages, so the search is repeated. */
const repeatMs = 500
/** More devices than a house has. */
const maxDevices = 200
const maxMessageBytes = 4_096

export interface SearchOptions {
  /** How long to search. */
  searchMs: number
  signal: AbortSignal
  /** The addresses of this machine from which to search. Default: all but those of the loopback interface. */
  addresses?: readonly string[]
}

/**
 * Searches the renderers of the network by SSDP (UPnP Device Architecture 1.1, section 1.3).
 * @param take receives the address of each description, once, at the host that responded; returns whether the search ends.
 */
export async function searchRenderers(
  take: (description: URL) => boolean | Promise<boolean>,
  { searchMs, signal, addresses = ownAddresses() }: SearchOptions,
): Promise<void> {
  const sockets = (await Promise.all(addresses.map(openSocket))).filter((socket) => socket !== null)
  const known = new Set<string>()
  const ended = new Promise<void>((resolve) => {
    const onMessage = async (message: Buffer, { address }: { address: string }) => {
      const description = descriptionOf(message, address)
      if (!description || known.has(description.href) || known.size >= maxDevices) return
      known.add(description.href)
      if (await take(description)) resolve()
    }
    for (const socket of sockets) socket.on('message', onMessage)
  })
  const search = () => {
    for (const socket of sockets) socket.send(searchMessage, group.port, group.address, () => {})
  }
  search()
  const timer = setInterval(search, repeatMs)
  try {
    await withinTime(searchMs, unlessAborted(ended, signal), () => undefined).catch((error) => {
      if (error !== undefined) throw error
    })
  } finally {
    clearInterval(timer)
    for (const socket of sockets) socket.close()
  }
}

const searchMessage = [
  'M-SEARCH * HTTP/1.1',
  `HOST: ${group.address}:${group.port}`,
  'MAN: "ssdp:discover"',
  'MX: 1',
  `ST: ${searchTarget}`,
  '\r\n',
].join('\r\n')

/** The addresses of this machine in networks that may have devices. */
function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  return addresses
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
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

function descriptionOf(message: Buffer, responder: string): URL | undefined {
  const text = message.toString('latin1', 0, maxMessageBytes)
  const line = text.split('\r\n').find((line) => line.toLowerCase().startsWith('location:'))
  const url = parseUrl(line?.slice('location:'.length).trim() ?? '')
  // A device may only name an address of its own.
  return url?.protocol === 'http:' && url.hostname === responder ? url : undefined
}
