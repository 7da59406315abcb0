import { isLocalHost } from './host.ts'

/** The reason why an address is not valid for a service. */
export type AddressFault = 'not-an-address' | 'more-than-a-path' | 'in-the-clear'

/**
 * Checks the address of a service; works in Node and in a browser.
 * @returns the first fault, or `undefined`. `in-the-clear` means `http:` to a host outside this machine and its network,
 * where others could read the key and the text in transit.
 */
export function addressFault(address: string): AddressFault | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return 'not-an-address'
  const { protocol, hostname, username, password } = new URL(address)
  if (username || password || /[?#]/.test(address)) return 'more-than-a-path'
  return protocol === 'http:' && !isLocalHost(hostname) ? 'in-the-clear' : undefined
}
