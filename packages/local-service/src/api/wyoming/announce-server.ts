import { isIPv4 } from 'node:net'
import { hostname } from 'node:os'

export interface AnnouncedServer {
  /** What the server listens on. */
  host: string
  port: number
  onFailure(error: Error): void
}

/**
 * Makes a Wyoming server known by mDNS, in the networks of the address that it listens on. Home Assistant then offers it by itself.
 * @returns a function that takes it back.
 */
export async function announceServer({
  host,
  port,
  onFailure,
}: AnnouncedServer): Promise<() => Promise<void>> {
  // The package is loaded on demand, because few services make themselves known.
  const { Bonjour } = await import('bonjour-service')
  const isOne = isIPv4(host) && host !== '0.0.0.0'
  // Bound to all addresses: what is sent to a group does not arrive at that of an interface.
  const options: object = isOne ? { interface: host, bind: '0.0.0.0' } : {}
  const bonjour = new Bonjour(options, onFailure)
  bonjour.publish({ name: `Parlando on ${hostname()}`, type: 'wyoming', port })
  let taking: Promise<void> | undefined
  return () => {
    taking ??= new Promise((resolve) => {
      bonjour.unpublishAll(() => bonjour.destroy(() => resolve()))
    })
    return taking
  }
}
