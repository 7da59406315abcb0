import { isLocalHost } from './host.ts'

export { isLocalHost, isLoopback } from './host.ts'

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

/**
 * Completes an address that a person typed without a scheme: `http:` on this machine and in its network, `https:` elsewhere.
 * @returns any other text unchanged, such as an address with a scheme.
 */
export function completeAddress(typed: string): string {
  const beginsWithHost = /^[\p{L}\d[]/u.test(typed) && !/^(https?:|\d+$|[^/]*:\/\/)/i.test(typed)
  const address = `https://${typed}`
  if (!beginsWithHost || !URL.canParse(address)) return typed
  return isLocalHost(new URL(address).hostname) ? `http://${typed}` : address
}
