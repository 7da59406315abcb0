import { type SearchOptions, searchByMulticast } from '../../search/multicast-search.ts'
import { parseUrl } from './renderer.ts'

/** The address of all UPnP devices of a network. */
const group = { address: '239.255.255.250', port: 1900 }
const searchTarget = 'urn:schemas-upnp-org:device:MediaRenderer:1'
/** More devices than a house has. */
const maxDevices = 200
const maxMessageBytes = 4_096

/**
 * Searches the renderers of the network by SSDP (UPnP Device Architecture 1.1, section 1.3).
 * @param take receives the address of each description, once, at the host that responded; returns whether the search ends.
 */
export async function searchRenderers(
  take: (description: URL) => boolean | Promise<boolean>,
  options: SearchOptions,
): Promise<void> {
  const known = new Set<string>()
  await searchByMulticast(
    {
      group,
      message: () => searchMessage,
      take(response, responder) {
        const description = descriptionOf(response, responder)
        if (!description || known.has(description.href) || known.size >= maxDevices) return false
        known.add(description.href)
        return take(description)
      },
    },
    options,
  )
}

const searchMessage = [
  'M-SEARCH * HTTP/1.1',
  `HOST: ${group.address}:${group.port}`,
  'MAN: "ssdp:discover"',
  'MX: 1',
  `ST: ${searchTarget}`,
  '\r\n',
].join('\r\n')

function descriptionOf(message: Buffer, responder: string): URL | undefined {
  const text = message.toString('latin1', 0, maxMessageBytes)
  const line = text.split('\r\n').find((line) => line.toLowerCase().startsWith('location:'))
  const url = parseUrl(line?.slice('location:'.length).trim() ?? '')
  // A device may only name an address of its own.
  return url?.protocol === 'http:' && url.hostname === responder ? url : undefined
}
